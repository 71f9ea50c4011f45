import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { serveKlaviyoStandIn, type ServedStandIn } from '../../../dev/klaviyo/serve-stand-in.ts'
import { demoApiKey } from '../../../dev/klaviyo/stand-in.ts'
import { partsOf } from '../../support/parts.js'
import { beforeStatements } from '../../support/before-statements.js'
import { anEvent, aListAdd, anIdentify } from '../../support/new-sends.js'
import { rowsOfStatement } from '../../support/rows-of-statement.js'
import { databaseKinds, openStore, type TestStore } from '../../support/store.js'

describe.each(databaseKinds)('A backlog that drains (%s)', (kind) => {
  let klaviyo: ServedStandIn
  let store: TestStore

  beforeEach(async () => {
    klaviyo = await serveKlaviyoStandIn({ port: 0 })
    store = await openStore(kind, {
      options: {
        marketing: {
          delivery: 'task',
          apiUrl: klaviyo.origin,
          settings: { privateApiKey: demoApiKey },
        },
      },
    })
  })
  afterEach(async () => {
    await store.close()
    await klaviyo.close()
  })

  const deliver = async ({ payload }: TestStore): Promise<void> => {
    await payload.jobs.queue({ task: 'storeconnect-deliver', queue: 'storeconnect', input: {} })
    await payload.jobs.run({ queue: 'storeconnect', limit: 1 })
  }
  const counts = async (state: string): Promise<number> => {
    const where = { state: { equals: state } }
    const { totalDocs } = await store.payload.count({ collection: 'marketing-sends', where })
    return totalDocs
  }

  it('keeps the order of a profile that has most of it, in statements that are small', async () => {
    const now = new Date(Date.now() - 120_000)
    const of = (email: string) => ({ email, acceptedAt: now })
    const one = Array.from({ length: 1_400 }, (_, n) => anEvent(`one ${n}`, of('one@example.com')))
    const others = Array.from({ length: 600 }, (_, n) => [
      anEvent(`other ${n}`, of(`p${n}@example.com`)),
      aListAdd(`list ${n}`, { ...of(`p${n}@example.com`), list: 'VIPLIST' }),
      anIdentify(`name ${n}`, of(`q${n}@example.com`)),
    ]).flat()
    await partsOf(store.payload).outbox.store([...one, ...others])

    const sizes: number[] = []
    const end = beforeStatements(store.payload, (statement, values) => {
      sizes.push(rowsOfStatement(statement, values))
    })
    await deliver(store)
    while ((await counts('queued')) > 0) await deliver(store)
    end()

    expect(await counts('failed')).toBe(0)
    const { state } = klaviyo.standIn
    const oneId = state.profileByEmail('one@example.com')?.id
    const arrived = state.events.filter(({ profile }) => profile === oneId)
    expect(arrived.map(({ uniqueId }) => uniqueId)).toEqual(
      one.map(({ message }) => message.kind === 'event' && message.event.uniqueId),
    )
    expect(state.events).toHaveLength(one.length + 600)
    expect(Math.max(...sizes)).toBeLessThanOrEqual(250)
  })
})
