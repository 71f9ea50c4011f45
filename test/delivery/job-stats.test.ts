import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { anyKind, openStore, type TestStore } from '../support/store.js'

const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString()
const lastRun = (lastScheduledRun: unknown) => ({
  scheduledRuns: {
    queues: { storeconnect: { tasks: { 'storeconnect-deliver': { lastScheduledRun } } } },
  },
})

const junk: [string, unknown][] = [
  ['a text', 'junk'],
  ['a list', [1, 2]],
  ['queues that are none', { scheduledRuns: { queues: 'junk' } }],
  ['a queue that is none', { scheduledRuns: { queues: { storeconnect: 'junk' } } }],
  ['tasks that are none', { scheduledRuns: { queues: { storeconnect: { tasks: 5 } } } }],
  ['a last run that is no date', lastRun('junk')],
  ['a last run that is a list', lastRun([1])],
  ['a last run beyond all dates', lastRun('2026-99-99T00:00:00.000Z')],
  ['a last run to come', lastRun(inAnHour())],
  ['a last run of another task', { scheduledRuns: { queues: { other: { tasks: { x: 'y' } } } } }],
]

// Payload lets every logged-in user write when its scheduled tasks last ran.
describe('What Payload knows of the last runs', () => {
  let store: TestStore
  const tokens: Record<string, string> = {}

  beforeAll(async () => {
    store = await openStore(anyKind)
    for (const role of ['admin', 'customer']) {
      const data = { email: `${role}@shop.example`, password: 'green tea, no sugar' }
      await store.payload.create({ collection: 'users', data: { ...data, roles: [role] } })
      const { token } = await store.payload.login({ collection: 'users', data })
      tokens[role] = token ?? ''
    }
  })
  afterAll(() => store.close())

  const ask = (path: string, { role = '', body }: { role?: string; body?: unknown } = {}) =>
    store.api(
      new Request(`https://shop.example/api${path}`, {
        method: body === undefined ? 'GET' : 'POST',
        headers: {
          'content-type': 'application/json',
          ...(role !== '' && { authorization: `JWT ${tokens[role]}` }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      }),
    )
  const statsSlug = 'payload-jobs-stats'
  const stats = `/globals/${statsSlug}`
  const run = () => ask('/payload-jobs/run?queue=storeconnect', { role: 'admin' })
  const waiting = async () => {
    const { docs } = await store.payload.db.find<{ waitUntil: string }>({
      collection: 'payload-jobs',
    })
    return docs.map(({ waitUntil }) => new Date(waitUntil))
  }

  it.each(['', 'customer'])('is closed to a %j user', async (role) => {
    expect((await ask(stats, { role })).status).toBe(403)
    expect((await ask(stats, { role, body: { stats: 'junk' } })).status).toBe(403)
  })

  it('is open to an admin', async () => {
    expect((await ask(stats, { role: 'admin' })).status).toBe(200)
    expect((await ask(stats, { role: 'admin', body: { stats: null } })).status).toBe(200)
  })

  it.each(junk)('may be %s, and the next run works all the same', async (_, value) => {
    await store.payload.db.deleteMany({ collection: 'payload-jobs', where: {} })
    await ask(stats, { role: 'admin', body: { stats: null } })
    await store.payload.db.updateGlobal({ slug: statsSlug, data: { stats: value } })
    expect((await run()).status).toBe(200)
    const soon = Date.now() + 61_000
    for (const time of await waiting()) expect(time.getTime()).toBeLessThanOrEqual(soon)
    const schedules = await ask('/payload-jobs/handle-schedules?queue=storeconnect', {
      role: 'admin',
    })
    expect(schedules.status).toBe(200)
  })

  it('stays as Payload wrote it', async () => {
    expect((await run()).status).toBe(200)
    const written = await store.payload.db.findGlobal<Record<string, unknown>>({ slug: statsSlug })
    expect(written).toMatchObject({ stats: lastRun(expect.any(String) as unknown) })
  })
})
