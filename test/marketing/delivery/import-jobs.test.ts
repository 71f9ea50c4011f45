import { describe, expect, it } from 'vitest'
import type { Fault } from '../../../dev/klaviyo/faults.ts'
import { anEvent, anIdentify } from '../../support/messages.js'
import { simulatedStore } from '../../support/simulated-store.js'
import { anyKind } from '../../support/store.js'
import { stateOf } from '../../support/stored-sends.js'

const second = 1_000
const hour = 3_600 * second

describe('An import that the platform carries out later', () => {
  const world = simulatedStore(anyKind)
  /** Imports whose errors have not been asked for. */
  const openJobs = () => world.parts.deliveryStore.readOpenJobs(100)

  const identify = (count: number, firstName: string) =>
    world.store(
      ...Array.from({ length: count }, (_, index) =>
        anIdentify(`${firstName.toLowerCase()}-${index}@example.com`, { firstName }),
      ),
    )

  /** State and error code, with how many sends have them. */
  const outcomes = async () => {
    const counts: Record<string, number> = {}
    for (const send of await world.sends()) {
      counts[stateOf(send)] = (counts[stateOf(send)] ?? 0) + 1
    }
    return counts
  }

  it('is asked about again after an outage of these questions alone', async () => {
    const fault = world.standIn.faults.add({ kind: 'error', status: 503, calls: ['import-job'] })
    await identify(60, 'Ada')
    const paused = async () => (await world.parts.deliverer.status()).pauses.map(({ call }) => call)
    while (!(await paused()).includes('import-job')) await world.runUntil(world.now() + second)
    fault.remove()
    await world.runUntil(world.begin + hour)
    expect(await outcomes()).toEqual({ sent: 60 })
    expect(await paused()).toEqual([])
    expect(await openJobs()).toEqual([])
    expect(world.log.text()).not.toContain('Failed query')
  })

  it('fails the profiles that it could not take, on however many pages they are listed', async () => {
    world.standIn.faults.add({ kind: 'import-error', marker: 'Odd' })
    await identify(150, 'Odd')
    await identify(60, 'Even')
    await world.runUntil(world.begin + hour)

    expect(world.standIn.state.jobs.size).toBeGreaterThan(0)
    const { sent, ...failed } = await outcomes()
    expect(sent).toBe(60)
    expect(Object.entries(failed)).toEqual([[expect.stringMatching(/^failed /), 150]])
    expect(await openJobs()).toEqual([])
  })

  it('fails as a whole when the platform gives it up, and can be resent', async () => {
    const fault = world.standIn.faults.add({ kind: 'cancel-job' })
    await identify(60, 'Ada')
    await world.runUntil(world.begin + hour)
    expect(await outcomes()).toEqual({ 'failed JOB_CANCELLED': 60 })
    expect(world.standIn.state.profiles.size).toBe(0)

    fault.remove()
    for (const { id } of await world.sends())
      await world.parts.outbox.resend(id, new Date(world.now()))
    await world.runUntil(world.begin + 2 * hour)
    expect(await outcomes()).toEqual({ sent: 60 })
    expect(world.standIn.state.profiles.size).toBe(60)
  })

  it('is read to its end where its errors are more than one minute allows', async () => {
    world.callMs = 60
    world.standIn.faults.add({ kind: 'import-error', marker: 'Odd' })
    await identify(1_100, 'Odd')
    await world.runUntil(world.begin + hour)
    expect(await outcomes()).toEqual({ 'failed invalid': 1_100 })
    const pages = world.standIn.state.calls.filter(({ name }) => name === 'import-errors')
    expect(pages).toHaveLength(11)
    expect(world.standIn.state.throttled).toBe(0)
  })

  it('is read to its end beside others', async () => {
    world.standIn.faults.add({ kind: 'import-error', marker: 'Odd' })
    for (const name of ['OddA', 'OddB', 'OddC', 'OddD']) {
      await identify(1_500, name)
      await world.runUntil(world.now() + second)
    }
    await world.runUntil(world.begin + hour)
    expect(world.standIn.state.jobs.size).toBeGreaterThan(2)
    expect(await outcomes()).toEqual({ 'failed invalid': 6_000 })
    const pages = world.standIn.state.calls.filter(({ name }) => name === 'import-errors')
    expect(pages).toHaveLength(60)
  })

  it('is noted in the log when the platform has forgotten it before its errors were read', async () => {
    world.standIn.faults.add({ kind: 'import-error', marker: 'Odd' })
    world.standIn.faults.add({ kind: 'error', status: 404, calls: ['import-errors'], times: 1 })
    await identify(60, 'Odd')
    await world.runUntil(world.begin + hour)
    expect(await outcomes()).toEqual({ sent: 60 })
    expect(await openJobs()).toEqual([])
    expect(world.log.lines()).toContainEqual(expect.objectContaining({ code: 'JOB_FORGOTTEN' }))
  })

  it('is not overtaken by later sends of its profiles', async () => {
    world.account({ jobSeconds: 60 })
    await identify(60, 'Old')
    await world.runUntil(world.begin + 5 * second)
    expect(world.standIn.state.jobs.size).toBe(1)
    const emails = Array.from({ length: 10 }, (_, index) => `old-${index}@example.com`)
    await world.store(...emails.map((email) => anIdentify(email, { firstName: 'New' })))
    await world.runUntil(world.begin + 30 * second)
    await world.store(
      ...emails.slice(5).map((email) => anEvent(email, email, { lastName: 'Newer' })),
    )
    await world.runUntil(world.begin + 10 * 60 * second)
    expect(await outcomes()).toEqual({ sent: 75 })
    for (const [index, email] of emails.entries()) {
      const { first_name, last_name } = world.standIn.state.profileByEmail(email)?.attributes ?? {}
      expect([first_name, last_name]).toEqual(['New', index < 5 ? undefined : 'Newer'])
    }
  })

  it.each<[string, Fault]>([
    ['breaks off', { kind: 'reset', isProcessed: true }],
    ['does not come', { kind: 'hang', isProcessed: true }],
    ['says 503', { kind: 'error', status: 503, isProcessed: true }],
    ['is cut off', { kind: 'truncate' }],
  ])('is not overtaken either where the answer %s and it is carried out', async (_, fault) => {
    world.account({ jobSeconds: 60 })
    world.standIn.faults.add({ ...fault, calls: ['profiles'], times: 1 })
    await identify(60, 'Old')
    await world.runUntil(world.begin + 20 * second)
    await world.store(anIdentify('old-0@example.com', { firstName: 'New' }))
    await world.runUntil(world.begin + 10 * 60 * second)
    expect(await outcomes()).toEqual({ sent: 61 })
    const { attributes } = world.standIn.state.profileByEmail('old-0@example.com') ?? {}
    expect(attributes?.first_name).toBe('New')
  })

  it('that was surely not taken is sent again within seconds', async () => {
    let refused = 0
    world.network = (request, ask) => {
      if (!request.url.endsWith('/profile-bulk-import-jobs') || refused > 0) return ask(request)
      refused += 1
      const cause = Object.assign(new Error('refused'), { code: 'ECONNREFUSED' })
      return Promise.reject(new TypeError('fetch failed', { cause }))
    }
    await identify(60, 'Ada')
    await world.runUntil(world.begin + 60 * second)
    expect(refused).toBe(1)
    expect(await outcomes()).toEqual({ sent: 60 })
  })

  it('holds nobody back for longer than minutes, however long it takes', async () => {
    world.account({ jobSeconds: 3_600 })
    await identify(60, 'Old')
    await world.runUntil(world.begin + 5 * second)
    await world.store(anIdentify('old-0@example.com', { firstName: 'New' }))
    await world.runUntil(world.begin + 10 * 60 * second)
    expect(await outcomes()).toEqual({ sent: 61 })
    expect(await openJobs()).toHaveLength(1)
  })

  it('sends again alone what a single call can deliver without a value', async () => {
    const phoneNumber = '+436641234567'
    const identifyOf = (email: string, rest = {}) =>
      anIdentify(email, { firstName: 'Anna', ...rest })
    await world.store(identifyOf('owner@example.com', { phoneNumber }))
    await world.store(identifyOf('old-7@example.com'))
    await world.runUntil(world.begin + 5 * second)
    await identify(60, 'Old')
    await world.store(identifyOf('old-7@example.com', { phoneNumber, lastName: 'Berg' }))
    await world.runUntil(world.begin + 10 * 60 * second)
    expect(world.standIn.state.jobs.size).toBe(1)
    expect(await outcomes()).toEqual({ sent: 63 })
    const { attributes } = world.standIn.state.profileByEmail('old-7@example.com') ?? {}
    expect(attributes).toMatchObject({ first_name: 'Anna', last_name: 'Berg' })
    expect(attributes).not.toHaveProperty('phone_number')
  })
})
