import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { apiOf, type ApiCall } from '../../support/api-of.js'
import { ordersOfYear, savePastOrders } from '../../support/past-orders.js'
import { sharedStore } from '../../support/shared-store.js'
import { anyKind } from '../../support/store.js'

/** The store's own words for what is refused. */
const words = {
  historyWrongPeriod: 'Das ist kein Zeitraum from 1970 on.',
  historyUnderWay: 'Es läuft schon einer. Wait for it.',
  historyNotPossible: 'Das geht nicht.',
}

describe('The endpoints of the history', () => {
  const translations = { en: { storeconnect: words } }
  const store = sharedStore(anyKind, { config: { i18n: { translations } } })
  const api = apiOf(store)
  beforeAll(() => savePastOrders(store.payload, ordersOfYear(3)))
  beforeEach(() => store.payload.delete({ collection: 'marketing-histories', where: {} }))

  const call = (path: string, asked?: ApiCall) => api(`/marketing-histories${path}`, asked)
  const year = { from: '2025-01-01', to: '2026-01-01' }
  const post = (path: string, body?: object) => call(path, { as: 'admin', method: 'POST', body })
  const answered = async (response: Response) => (await response.json()) as unknown

  it('are for admins only', async () => {
    const asked = [
      ['GET', '/count-orders?from=2025-01-01&to=2026-01-01'],
      ['GET', '/progress'],
      ['POST', '/start'],
      ['POST', '/1/pause'],
      ['POST', '/1/resume'],
      ['POST', '/1/cancel'],
    ] as const
    for (const [method, path] of asked) {
      const body = method === 'POST' && { body: year }
      expect((await call(path, { method, ...body })).status, path).toBe(403)
      expect((await call(path, { method, ...body, as: 'customer' })).status, path).toBe(403)
    }
    expect(await store.payload.count({ collection: 'marketing-histories' })).toEqual({
      totalDocs: 0,
    })
  })

  it('count the orders before, begin, and say how far it is', async () => {
    const counted = await call('/count-orders?from=2025-01-01&to=2026-01-01', { as: 'admin' })
    expect(await answered(counted)).toEqual({ orders: 3 })
    expect(await answered(await call('/progress', { as: 'admin' }))).toEqual({ run: null })

    const started = await post('/start', year)
    expect(started.status).toBe(201)
    const run = {
      ...year,
      state: 'counting',
      done: 0,
      events: 0,
      passedOver: 0,
      startedBy: 'admin@example.com',
    }
    expect(await answered(started)).toMatchObject({ run })
    const progress = await call('/progress', { as: 'admin' })
    expect(await answered(progress)).toMatchObject({ run })
    expect(progress.headers.get('cache-control')).toBe('no-store')
  })

  it('refuse days that are no period', async () => {
    const wrong = [
      {},
      { from: '2025-01-01' },
      { from: year.to, to: year.from },
      { from: 1, to: 2 },
      { from: '0001-01-01', to: year.to },
      { from: '1969-12-31', to: year.to },
    ]
    for (const body of [...wrong, undefined]) {
      expect((await post('/start', body)).status, JSON.stringify(body)).toBe(400)
    }
    expect((await call('/count-orders?from=2025-01-01', { as: 'admin' })).status).toBe(400)
    const early = await call('/count-orders?from=0001-01-01&to=2026-01-01', { as: 'admin' })
    expect(early.status).toBe(400)
    expect(await answered(early)).toMatchObject({
      errors: [{ message: expect.stringContaining('from 1970 on') as string }],
    })
    expect((await post('/start', { from: '1970-01-01', to: year.to })).status).toBe(201)
  })

  it('refuse in the words of the store', async () => {
    await post('/start', year)
    const refusals = [
      await call('/start', { method: 'POST', body: year }),
      await post('/start', {}),
      await post('/start', year),
      await post('/4711/pause'),
    ]
    const messages: unknown[] = []
    for (const refusal of refusals) {
      const { errors } = (await answered(refusal)) as { errors: { message: string }[] }
      messages.push(errors[0]?.message)
    }
    const payloadsOwn = 'You are not allowed to perform this action.'
    expect(messages).toEqual([payloadsOwn, ...Object.values(words)])
  })

  it('begin over a failed period, which then cannot go on beside it', async () => {
    const { run } = (await answered(await post('/start', year))) as { run: { id: number } }
    const failed = { state: 'failed', underWay: null, lastError: 'historyGivenUp' }
    const collection = 'marketing-histories'
    await store.payload.db.updateOne({ collection, id: run.id, data: failed, returning: false })
    expect(await answered(await call('/progress', { as: 'admin' }))).toMatchObject({
      run: { state: 'failed', lastError: 'historyGivenUp' },
    })
    expect(await store.payload.findByID({ collection, id: run.id })).toMatchObject({
      lastError: expect.stringContaining('The log says why.') as string,
    })
    expect((await post('/start', year)).status).toBe(201)
    expect((await post(`/${run.id}/resume`)).status).toBe(409)
    expect((await post(`/${run.id}/cancel`)).status).toBe(200)
  })

  it('refuse a second period while one is on its way, and say which', async () => {
    await post('/start', year)
    const second = await post('/start', { from: '2024-01-01', to: '2025-01-01' })
    expect(second.status).toBe(409)
    expect(await answered(second)).toMatchObject({
      errors: [{ message: expect.stringContaining('Wait for it') as string }],
      run: year,
    })
  })

  it('pause, resume and cancel, and refuse what is not possible', async () => {
    const { run } = (await answered(await post('/start', year))) as { run: { id: number } }
    const states: unknown[] = []
    for (const act of ['pause', 'resume', 'cancel', 'resume', 'pause']) {
      const response = await post(`/${run.id}/${act}`)
      const { run: moved } = (await answered(response)) as { run?: { state: string } }
      states.push([act, response.status, moved?.state])
    }
    expect(states).toEqual([
      ['pause', 200, 'paused'],
      ['resume', 200, 'counting'],
      ['cancel', 200, 'cancelled'],
      ['resume', 409, undefined],
      ['pause', 409, undefined],
    ])
    expect((await post('/4711/pause')).status).toBe(409)
    expect((await post('/not-an-id/pause')).status).toBe(409)
  })

  it('keep from everybody what only the shop needs', async () => {
    await post('/start', year)
    const shown = JSON.stringify(await answered(await call('/progress', { as: 'admin' })))
    expect(shown).not.toMatch(/token|cursor|underWay|key/)
  })
})
