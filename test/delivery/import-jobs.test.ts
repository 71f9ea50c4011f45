import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { databaseKinds, openStore, type TestStore } from '../support/store.js'
import { platformWorld, worldStart, type PlatformWorld } from './proof/platform-world.js'

const hour = 60 * 60_000

describe.each(databaseKinds)('An import that the platform carries out later (%s)', (kind) => {
  let store: TestStore
  let world: PlatformWorld

  beforeEach(async () => {
    store = await openStore(kind)
    world = platformWorld(store)
  })
  afterEach(() => store.close())

  const identify = (count: number, firstName: string) =>
    world.store(
      ...Array.from({ length: count }, (_, index) => ({
        kind: 'identify' as const,
        profile: { email: `${firstName.toLowerCase()}-${index}@example.com`, firstName },
      })),
    )

  /** State and error code, with how many sends have them. */
  const outcomes = async () => {
    const { docs } = await store.payload.find({
      collection: 'marketing-sends',
      pagination: false,
      depth: 0,
    })
    const counts: Record<string, number> = {}
    for (const { state, error } of docs as unknown as {
      state: string
      error?: { code?: string }
    }[]) {
      const outcome = [state, error?.code].filter(Boolean).join(' ')
      counts[outcome] = (counts[outcome] ?? 0) + 1
    }
    return counts
  }

  it('fails the profiles that it could not take, on however many pages they are told', async () => {
    world.standIn.faults.add({ kind: 'import-error', marker: 'Odd' })
    await identify(150, 'Odd')
    await identify(60, 'Even')
    await world.runUntil(worldStart + hour)

    expect(world.standIn.state.jobs.size).toBeGreaterThan(0)
    const { sent, ...failed } = await outcomes()
    expect(sent).toBe(60)
    expect(Object.entries(failed)).toEqual([[expect.stringMatching(/^failed /), 150]])
    expect(await world.outbox.openJobs(10)).toEqual([])
  })

  it('fails as a whole when the platform gives it up, and can be resent', async () => {
    const fault = world.standIn.faults.add({ kind: 'cancel-job' })
    await identify(60, 'Ada')
    await world.runUntil(worldStart + hour)
    expect(await outcomes()).toEqual({ 'failed JOB_CANCELLED': 60 })
    expect(world.standIn.state.profiles.size).toBe(0)

    fault.remove()
    const { docs } = await store.payload.find({ collection: 'marketing-sends', pagination: false })
    for (const { id } of docs) await world.outbox.resend(Number(id), new Date(world.now()))
    await world.runUntil(worldStart + 2 * hour)
    expect(await outcomes()).toEqual({ sent: 60 })
    expect(world.standIn.state.profiles.size).toBe(60)
  })
})
