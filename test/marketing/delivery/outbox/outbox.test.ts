import { sql } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { sqlDatabase } from '../../../../src/core/database/database.js'
import { sendKinds, type NewSend, type SendKind } from '../../../../src/marketing/delivery/send.js'
import { sendTable } from '../../../../src/marketing/delivery/send-table.js'
import { anEvent, anIdentify, at, refused } from '../../../support/new-sends.js'
import { settleStored } from '../../../support/settle-sends.js'
import { simulatedStore } from '../../../support/simulated-store.js'
import { databaseKinds } from '../../../support/store.js'
import { idOfKey, readSends, readStates } from '../../../support/stored-sends.js'

describe.each(databaseKinds)('The outbox (%s)', (kind) => {
  const store = simulatedStore(kind)
  const database = () => sqlDatabase(store.payload)
  const keys = async () => Object.keys(await readStates(store))
  const end = (key: string, to: 'sent' | 'failed') =>
    settleStored(store.payload, [key], {
      settlementOf: (id) => (to === 'sent' ? { id, to } : { id, to, error: refused }),
      now: at(1),
    })

  describe('store', () => {
    it('keeps a message as it was posted', async () => {
      const send = anEvent('a')
      await store.parts.outbox.store([send])
      expect(await readSends(store)).toMatchObject([{ message: send.message }])
    })

    it('keeps a repeat of a key once, in one call and in another', async () => {
      await store.parts.outbox.store([anEvent('a'), anEvent('a')])
      await store.parts.outbox.store([anEvent('a'), anEvent('b')])
      expect(await keys()).toEqual(['a', 'b'])
    })

    it('leaves out what was stored under the previous key since then', async () => {
      await store.parts.outbox.store([anEvent('old', { acceptedAt: at(0) })])
      await store.parts.outbox.store([
        anEvent('repeat', { previousKey: 'old', dedupeSince: at(0), acceptedAt: at(60) }),
        anEvent('new', { previousKey: 'old', dedupeSince: at(1), acceptedAt: at(60) }),
      ])
      expect(await keys()).toEqual(['old', 'new'])
    })

    it('leaves out a repeat of a previous key in the same call', async () => {
      await store.parts.outbox.store([
        anEvent('old', { acceptedAt: at(0) }),
        anEvent('repeat', { previousKey: 'old', dedupeSince: at(0), acceptedAt: at(1) }),
      ])
      expect(await keys()).toEqual(['old'])
    })

    it('stores a post once that several processes get at once', async () => {
      const processes = [store, await store.join(), await store.join(), await store.join()]
      const people = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => `${name}@example.com`)
      for (let round = 0; round < 20; round++) {
        const posts = people.map((email) => anEvent(`${email} ${round}`, { email }))
        await Promise.all(
          processes.flatMap(({ parts: { outbox } }, index) =>
            posts.map((post) => outbox.store(index % 2 ? [post] : [...posts].reverse())),
          ),
        )
      }
      expect(await keys()).toHaveLength(20 * people.length)
    })

    describe('of a repeat', () => {
      const switched = (key: string, name: string): NewSend => {
        const send = anIdentify(key)
        const { message } = anIdentify(name)
        return { ...send, afterOthers: { key: `${key}:${name}`, message } }
      }

      it('stores none while the profile has no other value', async () => {
        await store.parts.outbox.store([switched('on', 'again')])
        await store.parts.outbox.store([switched('on', 'again'), switched('on', 'and again')])
        expect(await keys()).toEqual(['on'])
      })

      it('stores another send when the profile has had another value: on, off, on', async () => {
        await store.parts.outbox.store([switched('on', 'never')])
        await store.parts.outbox.store([anIdentify('off')])
        await store.parts.outbox.store([
          switched('on', 'on again'),
          switched('on', 'a repeat of that'),
        ])
        await store.parts.outbox.store([switched('on', 'one more repeat')])
        expect(await keys()).toEqual(['on', 'off', 'on:on again'])
      })

      it('sees so within one call, too', async () => {
        const posts = ['never', 'on again', 'a repeat'].map((name) => switched('on', name))
        await store.parts.outbox.store(
          [posts[0], anEvent('off'), posts[1], posts[2]].flatMap((post) => post ?? []),
        )
        expect(await keys()).toEqual(['on', 'off', 'on:on again'])
      })

      it('takes no account of what another profile was sent', async () => {
        await store.parts.outbox.store([switched('on', 'never')])
        await store.parts.outbox.store([anIdentify('off', { email: 'bob@example.com' })])
        await store.parts.outbox.store([switched('on', 'never')])
        expect(await keys()).toEqual(['on', 'off'])
      })
    })
  })

  it('puts a failed send back into the queue once, to start anew', async () => {
    await store.parts.outbox.store([anEvent('a')])
    await end('a', 'failed')
    const { table, bare } = sendTable(database())
    await database().run(
      sql`update ${table} set ${bare.attempts} = 9, ${bare.crashes} = 3, ${bare.batchSize} = 1`,
    )
    const id = await idOfKey(store, 'a')
    expect(await store.parts.outbox.resend(id, at(5))).toBe(true)
    expect(await store.parts.outbox.resend(id, at(5))).toBe(false)
    expect(await readStates(store)).toEqual({ a: 'queued' })
    const everything = Object.fromEntries(
      sendKinds.map((one) => [one, { after: 0, limit: 9 }]),
    ) as Record<SendKind, { after: number; limit: number }>
    expect(await store.parts.deliveryStore.readWaiting(everything)).toMatchObject([
      { attempts: 0, batchSize: Number.POSITIVE_INFINITY, dueAt: at(5).getTime() },
    ])
    const [row] = await database().rows(sql`select ${bare.crashes} as "crashes" from ${table}`)
    expect(Number(row?.crashes)).toBe(0)
  })

  it('dismisses a failed send, and only such a one', async () => {
    await store.parts.outbox.store(['failed', 'sent'].map((key) => anEvent(key)))
    await end('failed', 'failed')
    await end('sent', 'sent')
    expect(await store.parts.outbox.dismiss(await idOfKey(store, 'sent'))).toBe(false)
    expect(await store.parts.outbox.dismiss(await idOfKey(store, 'failed'))).toBe(true)
    expect(await store.parts.outbox.dismiss(2 ** 30)).toBe(false)
    expect(await readStates(store)).toEqual({ sent: 'sent' })
  })
})
