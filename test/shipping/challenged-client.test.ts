import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { authorization, basic } from '../support/shipping-requests.js'
import { openStore, type TestStore } from '../support/store.js'

const url = 'https://shop.example/actions/shippingconnect/orders/process?action=export'

let store: TestStore
beforeAll(async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  store = await openStore('sqlite')
})
afterAll(async () => {
  vi.useRealTimers()
  await store.close()
})

const send = (headers: Record<string, string>) =>
  store.handle(new Request(url, { headers }), { address: '192.0.2.1' })

it('a client that waits for the challenge each time, as curl --anyauth does, is never locked out', async () => {
  for (let pull = 0; pull < 40; pull += 1) {
    const challenged = await send({})
    expect(challenged.status).toBe(401)
    expect(challenged.headers.get('www-authenticate')).toMatch(/^Basic /)
    expect((await send({ authorization })).status).toBe(200)
  }
  const wrong = { authorization: basic('ship', 'guess') }
  for (let tried = 0; tried < 10; tried += 1) expect((await send(wrong)).status).toBe(401)
  expect((await send(wrong)).status).toBe(429)
  expect((await send({})).status).toBe(401)
  expect((await send({ authorization })).status).toBe(200)
})
