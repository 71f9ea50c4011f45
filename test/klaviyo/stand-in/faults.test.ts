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

  it('hangs until the caller gives up', async () => {
    const klaviyo = aStandIn({ faults: [{ kind: 'hang' }] })
    const patience = new AbortController()
    const answer = track(klaviyo, { signal: patience.signal })
    patience.abort(new Error('enough'))
    await expect(answer).rejects.toThrow('enough')
    expect(klaviyo.state.events).toHaveLength(0)
  })

  it('truncates the answer to a request that was taken', async () => {
    const klaviyo = aStandIn({ faults: [{ kind: 'truncate' }] })
    await expect(track(klaviyo)).rejects.toThrow('terminated')
    expect(klaviyo.state.events).toHaveLength(1)
  })

  it.each([
    [{ kind: 'error' as const }, 500],
    [{ kind: 'error' as const, status: 503 }, 503],
    [{ kind: 'wrong-key' as const }, 401],
    [{ kind: 'forbidden' as const }, 403],
    [{ kind: 'throttle' as const }, 429],
    [{ kind: 'redirect' as const }, 307],
  ])('%j is answered %i, and nothing is taken', async (fault, status) => {
    const klaviyo = aStandIn({ faults: [fault] })
    const answer = await track(klaviyo)
    expect([answer.status, answer.document?.errors?.length]).toEqual([status, 1])
    expect(klaviyo.state.events).toEqual([])
  })

  it('can answer with an error although the request was taken', async () => {
    const klaviyo = aStandIn({ faults: [{ kind: 'error', status: 502, isProcessed: true }] })
    expect((await track(klaviyo)).status).toBe(502)
    expect(klaviyo.state.events).toHaveLength(1)
  })

  it('says how long to wait', async () => {
    const klaviyo = aStandIn({ faults: [{ kind: 'throttle', seconds: 30 }] })
    const { headers } = await track(klaviyo)
    expect([headers.get('retry-after'), headers.get('ratelimit-limit')]).toEqual(['30', null])
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

describe('A poisoned item', () => {
  const batch = () =>
    manyEvents([
      { event: { unique_id: 'good' } },
      { profile: aProfile({ email: 'poison@shop.test' }) },
      { event: { unique_id: 'also good', properties: { note: 'poison' } } },
    ])

  it.each([
    ['data' as const, 400, ['/data']],
    ['item' as const, 400, [1, 2].map((at) => `/data/attributes/events-bulk-create/data/${at}`)],
    ['error' as const, 500, ['/data']],
  ])('has the whole call refused, saying %s', async (says, status, pointers) => {
    const klaviyo = aStandIn({ faults: [{ kind: 'poison', says }] })
    const answer = await klaviyo.call(paths.events, { body: batch() })
    expect([answer.status, pointersOf(answer)]).toEqual([status, pointers])
    expect(klaviyo.state.events).toEqual([])
  })

  it('costs nothing to a call without it', async () => {
    const klaviyo = aStandIn({ faults: [{ kind: 'poison' }] })
    expect((await track(klaviyo)).status).toBe(202)
  })
})
