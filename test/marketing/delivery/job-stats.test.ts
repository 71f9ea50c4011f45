import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { apiOf, type Api } from '../../support/api-of.js'
import { anyKind, openStore, type TestStore } from '../../support/store.js'

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
  let ask: Api

  beforeAll(async () => {
    store = await openStore(anyKind)
    ask = apiOf(store)
  })
  afterAll(() => store.close())

  const statsSlug = 'payload-jobs-stats'
  const stats = `/globals/${statsSlug}`
  const run = () => ask('/payload-jobs/run?queue=storeconnect', { as: 'admin' })
  const waiting = async () => {
    const { docs } = await store.payload.db.find<{ waitUntil: string }>({
      collection: 'payload-jobs',
    })
    return docs.map(({ waitUntil }) => new Date(waitUntil))
  }

  it.each([undefined, 'customer'] as const)('is closed to a %j user', async (role) => {
    expect((await ask(stats, { as: role })).status).toBe(403)
    expect((await ask(stats, { as: role, body: { stats: 'junk' } })).status).toBe(403)
  })

  it('is open to an admin', async () => {
    expect((await ask(stats, { as: 'admin' })).status).toBe(200)
    expect((await ask(stats, { as: 'admin', body: { stats: null } })).status).toBe(200)
  })

  it.each(junk)('may be %s, and the next run works all the same', async (_, value) => {
    await store.payload.db.deleteMany({ collection: 'payload-jobs', where: {} })
    await ask(stats, { as: 'admin', body: { stats: null } })
    await store.payload.db.updateGlobal({ slug: statsSlug, data: { stats: value } })
    expect((await run()).status).toBe(200)
    const soon = Date.now() + 61_000
    for (const time of await waiting()) expect(time.getTime()).toBeLessThanOrEqual(soon)
    const schedules = await ask('/payload-jobs/handle-schedules?queue=storeconnect', {
      as: 'admin',
    })
    expect(schedules.status).toBe(200)
  })

  it('stays as Payload wrote it', async () => {
    expect((await run()).status).toBe(200)
    const written = await store.payload.db.findGlobal<Record<string, unknown>>({ slug: statsSlug })
    expect(written).toMatchObject({ stats: lastRun(expect.any(String) as unknown) })
  })
})
