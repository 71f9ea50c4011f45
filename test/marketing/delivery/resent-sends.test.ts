import { beforeEach, describe, expect, it } from 'vitest'
import { apiOf, type Api } from '../../support/api-of.js'
import { anEvent, anIdentify, aSubscribe, anUnsubscribe } from '../../support/messages.js'
import { simulatedStore } from '../../support/simulated-store.js'
import { databaseKinds } from '../../support/store.js'

const second = 1_000
const minute = 60 * second
const day = 24 * 60 * minute
const ada = 'ada@example.com'

describe.each(databaseKinds)('A send that failed and is resent (%s)', (kind) => {
  const world = simulatedStore(kind, { workers: ({ pruning }) => [pruning] })
  let api: Api
  beforeEach(() => {
    api = apiOf(world)
  })

  /** Klaviyo refuses what holds `Old`. Resolves to what ends that. */
  const refuseOld = () =>
    world.standIn.faults.add({ kind: 'poison', marker: 'Old', says: 'data' }).remove
  const later = async (ms = minute) => {
    await world.runUntil(world.now() + ms)
    world.standIn.settle()
  }
  /** A merchant resends all that failed alike. */
  const resendAll = async (reason = 'invalid') => {
    const body = { reason }
    const answer = await api('/storeconnect/resend-reason', { as: 'admin', body })
    return ((await answer.json()) as { count: number }).count
  }
  const shown = (email = ada) => world.standIn.state.profileByEmail(email)?.attributes

  it('takes back no value that was delivered meanwhile', async () => {
    const accept = refuseOld()
    await world.store(
      anIdentify(ada, { firstName: 'Old', lastName: 'Lovelace', title: 'Countess' }),
    )
    await later()
    expect(await world.counts()).toEqual({ failed: 1 })
    await world.store(
      anIdentify(ada, { firstName: 'New' }),
      anEvent(ada, 'visit', { title: 'Ms' }),
      anIdentify('bob@example.com', { lastName: 'Babbage' }),
    )
    await later()
    expect(shown()).toMatchObject({ first_name: 'New', title: 'Ms' })

    accept()
    expect(await resendAll()).toBe(1)
    await later()
    expect(await world.counts()).toEqual({ sent: 4 })
    expect(shown()).toMatchObject({ first_name: 'New', last_name: 'Lovelace', title: 'Ms' })
  })

  it('takes back nothing when it is resent by itself', async () => {
    const accept = refuseOld()
    await world.store(anEvent(ada, 'tea', { firstName: 'Old' }))
    await later()
    const [failed] = await world.sends()
    await world.store(anIdentify(ada, { firstName: 'New' }))
    await later()
    accept()
    await api(`/marketing-sends/${failed?.id}/resend`, { as: 'admin', method: 'POST' })
    await later()
    expect(world.standIn.state.events.map(({ uniqueId }) => uniqueId)).toEqual(['tea'])
    expect(shown()).toMatchObject({ first_name: 'New' })
  })

  it('takes back nothing when another value of it is refused once more', async () => {
    const accept = refuseOld()
    await world.store(anIdentify(ada, { firstName: 'Old', lastName: 'bad' }))
    await later()
    await world.store(anIdentify(ada, { firstName: 'New' }))
    await later()
    accept()
    world.standIn.faults.add({ kind: 'poison', marker: 'New', says: 'data' })
    await resendAll()
    await later()
    expect(await world.counts()).toEqual({ failed: 1, sent: 1 })
    expect(shown()).toMatchObject({ first_name: 'New' })
  })

  it('takes back nothing while another resent one still waits', async () => {
    const accept = refuseOld()
    await world.store(anEvent(ada, 'tea', { firstName: 'Old' }))
    await later()
    await world.store(anIdentify(ada, { firstName: 'Older' }))
    await later()
    expect(await world.counts()).toEqual({ failed: 2 })
    await world.store(anEvent(ada, 'visit', { firstName: 'New' }))
    await later()
    accept()
    world.standIn.faults.add({ kind: 'error', status: 503, calls: ['profile'] })
    await resendAll()
    await later()
    expect(await world.counts()).toEqual({ queued: 1, sent: 2 })
    expect(shown()).toMatchObject({ first_name: 'New' })
  })

  it('ends no subscription that came later', async () => {
    const { remove } = world.standIn.faults.add({
      kind: 'error',
      status: 400,
      calls: ['unsubscribe'],
    })
    for (const email of [ada, 'bob@example.com']) {
      await world.store(aSubscribe(email, 'WELCOME'), anUnsubscribe(email))
      await later()
    }
    expect(await world.counts()).toEqual({ failed: 2, sent: 2 })
    world.move(2 * day)
    await world.store(aSubscribe(ada, 'WELCOME'))
    await later()
    // What was delivered is deleted after a month, but for what a failed send has to know.
    world.move(45 * day)
    await later()
    remove()
    await resendAll('error')
    await later()
    const last = (await world.sends()).map(
      ({ kind, profile, state }) => `${kind} ${profile} ${state}`,
    )
    expect(last).toContain(`unsubscribe email:${ada} skipped`)
    expect(last).toContain('unsubscribe email:bob@example.com sent')
  })

  it('takes back nothing of many people', async () => {
    const people = Array.from({ length: 30 }, (_, place) => `p${place}@example.com`)
    const accept = refuseOld()
    await world.store(...people.map((email) => anIdentify(email, { firstName: 'Old' })))
    await later(10 * minute)
    expect(await world.counts()).toEqual({ failed: 30 })
    await world.store(...people.map((email) => anIdentify(email, { firstName: 'New' })))
    await later(10 * minute)
    accept()
    expect(await resendAll()).toBe(30)
    await later(10 * minute)
    expect(await world.counts()).toEqual({ sent: 60 })
    for (const email of people) expect(shown(email)).toMatchObject({ first_name: 'New' })
  })

  it('takes back nothing that was delivered longer ago than delivered sends stay listed', async () => {
    const accept = refuseOld()
    await world.store(anIdentify(ada, { firstName: 'Old' }))
    await later()
    await world.store(
      anIdentify(ada, { firstName: 'New' }),
      anIdentify('bob@example.com', { firstName: 'Bob' }),
    )
    await later()
    world.move(45 * day)
    await later()
    expect((await world.sends()).map(({ profile, state }) => [profile, state])).toEqual([
      [`email:${ada}`, 'failed'],
      [`email:${ada}`, 'sent'],
    ])
    accept()
    await resendAll()
    await later()
    expect(shown()).toMatchObject({ first_name: 'New' })
    world.move(45 * day)
    await later()
    expect(await world.sends()).toEqual([])
  })
})
