import { beforeEach, describe, expect, it } from 'vitest'
import { sendsSlug } from '../../../../src/marketing/delivery/send-table.js'
import { apiOf, type Api, type Role } from '../../../support/api-of.js'
import { anEvent, at } from '../../../support/new-sends.js'
import { settleStored } from '../../../support/settle-sends.js'
import { simulatedStore } from '../../../support/simulated-store.js'
import { databaseKinds } from '../../../support/store.js'
import { idOfKey, readSends, readStates } from '../../../support/stored-sends.js'

describe.each(databaseKinds)('The sends of a store (%s)', (kind) => {
  const store = simulatedStore(kind)
  let api: Api
  beforeEach(() => {
    api = apiOf(store)
  })

  const fail = async (key: string) => {
    await store.parts.outbox.store([anEvent(key)])
    const error = { code: 'invalid', detail: 'Not taken.', status: 400, pointer: '/data' }
    const settlementOf = (id: number) => ({ id, to: 'failed' as const, error })
    await settleStored(store.payload, [key], { settlementOf, now: at(1) })
    return idOfKey(store, key)
  }
  const post = (id: number | string, action: string, as?: Role) =>
    api(`/${sendsSlug}/${id}/${action}`, { as, method: 'POST' })

  it('are shown to admins with message and error, and to nobody else', async () => {
    const id = await fail('a')
    const response = await api(`/${sendsSlug}/${id}`, { as: 'admin' })
    expect(await response.json()).toMatchObject({
      state: 'failed',
      kind: 'event',
      profile: 'email:ada@example.com',
      metric: 'Viewed',
      uniqueId: 'a',
      message: anEvent('a').message,
      acceptedAt: at(0).toISOString(),
      error: { code: 'invalid', detail: 'Not taken.', status: 400, pointer: '/data' },
    })
    const list = await api(`/${sendsSlug}?where[state][equals]=failed`, {
      as: 'admin',
    })
    expect(await list.json()).toMatchObject({ totalDocs: 1 })
    for (const as of [undefined, 'customer'] as const) {
      expect((await api(`/${sendsSlug}/${id}`, { as })).status).toBe(403)
    }
  })

  it('cannot be written through the API, not even by admins', async () => {
    const id = await fail('a')
    const body = { state: 'sent' }
    for (const [method, path] of [
      ['POST', `/${sendsSlug}`],
      ['PATCH', `/${sendsSlug}/${id}`],
      ['DELETE', `/${sendsSlug}/${id}`],
    ] as const) {
      const response = await api(path, { as: 'admin', method, body })
      expect(response.status).toBe(403)
    }
    expect(await readStates(store)).toEqual({ a: 'failed invalid' })
  })

  it('are resent by admins when they failed', async () => {
    const id = await fail('a')
    expect((await post(id, 'resend')).status).toBe(403)
    expect((await post(id, 'resend', 'customer')).status).toBe(403)
    expect((await post(id, 'resend', 'admin')).status).toBe(200)
    expect(await readStates(store)).toEqual({ a: 'queued' })
    expect((await post(id, 'resend', 'admin')).status).toBe(409)
    expect((await post('x', 'resend', 'admin')).status).toBe(404)
  })

  it('are dismissed by admins when they failed', async () => {
    const id = await fail('a')
    expect((await post(id, 'dismiss', 'customer')).status).toBe(403)
    expect((await post(id, 'dismiss', 'admin')).status).toBe(200)
    expect(await readStates(store)).toEqual({})
  })

  it('keep a text that the database cannot hold but for what it cannot', async () => {
    const send = anEvent('a')
    const text = 'null \0, half \ud800, backslash \\u0000'
    const message = { ...send.message, profile: { email: 'a@example.com', title: text } }
    await Promise.all([
      store.parts.outbox.store([{ ...send, message }]),
      store.parts.outbox.store([anEvent('b')]),
    ])
    const titles = (await readSends(store)).map(({ message }) => message.profile.title).sort()
    expect(titles).toEqual(['null , half \ufffd, backslash \\u0000', undefined])
  })
})
