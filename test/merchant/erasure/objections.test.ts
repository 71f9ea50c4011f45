import { afterEach, describe, expect, it } from 'vitest'
import { anyKind } from '../../support/store.js'
import { adalgisa, grace, openErasureShop, type ErasureShop } from './erasure-shop.js'

describe('An objection that waits while a person is erased', () => {
  let shop: ErasureShop
  afterEach(() => shop.close())

  const open = async () => {
    shop = await openErasureShop(anyKind, {
      marketing: { settings: { followUnsubscribes: true } },
    })
    return shop
  }
  const post = (fields: Record<string, string>, action = 'identify') =>
    shop.aBrowser().post(`/actions/marketingconnect/api/${action}`, fields, { ajax: true })
  const leave = async (email: string) => {
    const fields = { email, 'profile[phone_number]': adalgisa.phone, subscribe: '0' }
    expect((await post(fields)).status).toBe(200)
  }
  const sends = async () => {
    const { docs } = await shop.payload.find({
      collection: 'marketing-sends',
      pagination: false,
      sort: 'id',
    })
    return docs as unknown as { id: number; kind: string; profile: string; state: string }[]
  }
  const sendsOf = async (text: string) =>
    (await sends())
      .filter(({ profile }) => profile.includes(text))
      .map(({ kind: of, state }) => [of, state])
  const consentOf = (email: string) => shop.standIn.state.profileByEmail(email)?.consent.email
  /** The changes that Klaviyo took, in their order. */
  const taken = () =>
    shop.standIn.state.calls
      .filter(({ name, status }) => status < 300 && name !== 'find-profiles')
      .map(({ name }) => name)
  const deliverUntil = (isOver: () => Promise<boolean>) =>
    expect
      .poll(async () => {
        shop.move(10 * 60_000)
        await shop.round()
        return isOver()
      })
      .toBe(true)

  it('of somebody who shares a phone number with the person stays, and reaches Klaviyo', async () => {
    await open()
    const { id } = await shop.signUp()
    await shop.round()
    const down = shop.standIn.faults.add({ kind: 'throttle', seconds: 1 })
    await leave(grace)
    const before = await sendsOf(grace)
    expect(before.map(([kind]) => kind)).toEqual(['identify', 'unsubscribe'])
    await shop.remove(id)
    expect(await sendsOf(grace)).toEqual(before)
    down.remove()
    await shop.finish()
    await deliverUntil(async () => (await sends()).every(({ state }) => state === 'sent'))
    expect(consentOf(grace)).toMatchObject({ status: 'UNSUBSCRIBED' })
    expect(shop.standIn.state.profileByEmail(adalgisa.email)).toBeUndefined()
  })

  it('loses what names the phone number and nobody else, but no objection by it', async () => {
    await open()
    const { id } = await shop.signUp()
    const phone = { 'profile[phone_number]': adalgisa.phone }
    await post({ ...phone, list: 'NEWS', subscribe: '1' })
    await post({ ...phone, subscribe: '0' })
    const profile = { phoneNumber: adalgisa.phone, externalId: 'another-account' }
    await shop.parts.outbox.store([
      { key: 'other', message: { kind: 'identify', profile }, acceptedAt: new Date(shop.now()) },
    ])
    await shop.remove(id)
    expect(await sendsOf(adalgisa.phone)).toEqual([
      ['unsubscribe', 'queued'],
      ['identify', 'queued'],
    ])
  })

  it.each([0, 40])(
    'of the person is sent before Klaviyo deletes the profile, and then names nobody, also by a clock %i minutes ahead',
    async (minutes) => {
      await open()
      const { id } = await shop.signUp()
      await shop.round()
      const fault = { kind: 'error', status: 503, calls: ['unsubscribe'], times: 1 } as const
      shop.standIn.faults.add(fault)
      shop.setClock(minutes * 60_000)
      await leave(adalgisa.email)
      shop.setClock(-minutes * 60_000)
      await shop.remove(id)
      expect(await sendsOf('quux')).toEqual([
        ['unsubscribe', 'queued'],
        ['erase', 'queued'],
      ])
      const before = taken().length
      await shop.finish()
      expect(taken().slice(before)).toEqual(['unsubscribe', 'delete-profile'])
      expect(await sendsOf('quux')).toEqual([])
      expect(shop.standIn.state.profileByEmail(adalgisa.email)).toBeUndefined()
      expect((await shop.search([adalgisa.email])).sort()).toEqual(['orders', 'transactions'])
    },
  )

  it('of who leaves and comes back after the erasure stays until they are subscribed', async () => {
    await open()
    const { id } = await shop.signUp()
    await shop.round()
    await shop.remove(id)
    shop.move(1_000)
    await leave(adalgisa.email)
    await post({ email: adalgisa.email, list: 'WELCOME', subscribe: '1' }, 'track')
    const down = shop.standIn.faults.add({ kind: 'error', status: 503, calls: ['find-profiles'] })
    await deliverUntil(async () => (await shop.erasures())[0]?.state === 'waiting')
    await shop.round()
    expect(await sendsOf('quux')).toContainEqual(['unsubscribe', 'sent'])
    down.remove()
    await deliverUntil(async () => (await shop.erasures())[0]?.state === 'done')
    expect(consentOf(adalgisa.email)).toMatchObject({ status: 'SUBSCRIBED' })
    expect((await sendsOf('quux')).map(([kind]) => kind)).not.toContain('unsubscribe')
  })

  it('that Klaviyo refuses for good stays among the sends until somebody decides', async () => {
    await open()
    const { id } = await shop.signUp()
    await shop.round()
    shop.standIn.faults.add({ kind: 'error', status: 400, calls: ['unsubscribe'] })
    await leave(adalgisa.email)
    await shop.remove(id)
    await deliverUntil(async () => (await shop.erasures())[0]?.klaviyo === 'accepted')
    expect(await sendsOf('quux')).toEqual([['unsubscribe', 'failed']])
    expect(await shop.erasures()).toMatchObject([{ state: 'waiting' }])
    const [failed] = await sends()
    expect((await shop.post(`/marketing-sends/${failed?.id}/dismiss`, {})).status).toBe(200)
    await shop.finish()
    expect(await sendsOf('quux')).toEqual([])
    expect(await shop.erasures()).toMatchObject([{ state: 'done', klaviyo: 'accepted' }])
  })

  it('waits on in a shop without a key, and the erasure with it', async () => {
    shop = await openErasureShop(anyKind, {
      marketing: { settings: { followUnsubscribes: true, privateApiKey: '' } },
    })
    const { id } = await shop.signUp()
    await leave(adalgisa.email)
    await shop.remove(id)
    await deliverUntil(async () => (await shop.erasures())[0]?.state === 'waiting')
    expect(await shop.erasures()).toMatchObject([{ klaviyo: 'none' }])
    expect(await sendsOf('quux')).toEqual([['unsubscribe', 'queued']])
  })
})
