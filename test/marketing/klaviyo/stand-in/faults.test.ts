import { describe, expect, it } from 'vitest'
import { anEvent, aProfile, aStandIn, manyEvents, paths, pointersOf } from './stand-in.fixture.js'

const track = (klaviyo: ReturnType<typeof aStandIn>, init: object = {}) =>
  klaviyo.call(paths.event, { body: anEvent(), ...init })

describe('A fault', () => {
  it.each([false, true])('breaks the connection, the request taken: %s', async (isProcessed) => {
    const klaviyo = aStandIn({ faults: [{ kind: 'reset', times: 1, isProcessed }] })
    await expect(track(klaviyo)).rejects.toThrow(
      expect.objectContaining({
        name: 'TypeError',
        cause: expect.objectContaining({ code: 'ECONNRESET' }) as Error,
      }),
    )
    expect(klaviyo.state.events).toHaveLength(isProcessed ? 1 : 0)
    expect(klaviyo.state.calls).toMatchObject([{ status: 0, fault: 'reset' }])
    expect((await track(klaviyo)).status).toBe(202)
  })

  it('can answer with an error although the request was taken', async () => {
    const klaviyo = aStandIn({ faults: [{ kind: 'error', status: 502, isProcessed: true }] })
    expect((await track(klaviyo)).status).toBe(502)
    expect(klaviyo.state.events).toHaveLength(1)
  })

  it('strikes as often as it says, only the calls it names, until it is removed', async () => {
    const klaviyo = aStandIn()
    const { remove } = klaviyo.faults.add({ kind: 'error', calls: ['lists'] })
    expect((await track(klaviyo)).status).toBe(202)
    expect((await klaviyo.call('/api/lists')).status).toBe(500)
    remove()
    klaviyo.faults.add({ kind: 'error', times: 2 })
    const statuses = []
    for (let at = 0; at < 3; at += 1) statuses.push((await klaviyo.call('/api/lists')).status)
    expect(statuses).toEqual([500, 500, 200])
    klaviyo.faults.add({ kind: 'error' })
    klaviyo.faults.clear()
    expect((await klaviyo.call('/api/lists')).status).toBe(200)
  })
})

it('A poisoned item has the whole call fail, also by an error of the server', async () => {
  const klaviyo = aStandIn({ faults: [{ kind: 'poison', says: 'error' }] })
  const poisoned = { profile: aProfile({ email: 'poison@shop.test' }) }
  const answer = await klaviyo.call(paths.events, { body: manyEvents([{}, poisoned]) })
  expect([answer.status, pointersOf(answer)]).toEqual([500, ['/data']])
  expect(klaviyo.state.events).toEqual([])
  expect((await track(klaviyo)).status).toBe(202)
})
