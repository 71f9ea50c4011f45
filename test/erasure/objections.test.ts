import { sql } from 'drizzle-orm'
import { afterEach, describe, expect, it } from 'vitest'
import { sqlDatabase } from '../../src/database/database.js'
import { partsOf } from '../../src/installation.js'
import { anyKind } from '../support/store.js'
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
  const post = (fields: Record<string, string>) =>
    shop.aBrowser().post('/actions/marketingconnect/api/identify', fields, {
      ajax: true,
    })
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
  const consentOf = (email: string) => shop.klaviyo.state.profileByEmail(email)?.consent.email
  /** The calls that Klaviyo took, in their order. */
  const taken = () =>
    shop.klaviyo.state.calls.flatMap(({ name, status }) => (status < 300 ? [name] : []))
  const deliverUntil = (isOver: () => Promise<boolean>) =>
    expect
      .poll(async () => {
        await shop.passTime()
        await shop.deliver()
        return isOver()
      })
      .toBe(true)

  it('of somebody who shares a phone number with the person stays, and reaches Klaviyo', async () => {
    await open()
    const { id } = await shop.signUp()
    await shop.deliver()
    const down = shop.klaviyo.faults.add({ kind: 'throttle', seconds: 1 })
    await leave(grace)
    const before = await sendsOf(grace)
    expect(before.map(([kind]) => kind)).toEqual(['identify', 'unsubscribe'])
    await shop.remove(id)
    expect(await sendsOf(grace)).toEqual(before)
    down.remove()
    await shop.finish()
    await deliverUntil(async () => (await sends()).every(({ state }) => state === 'sent'))
    expect(consentOf(grace)).toMatchObject({ status: 'UNSUBSCRIBED' })
    expect(shop.klaviyo.state.profileByEmail(adalgisa.email)).toBeUndefined()
  })

  it('loses what names the phone number and nobody else, but no objection by it', async () => {
    await open()
    const { id } = await shop.signUp()
    const phone = { 'profile[phone_number]': adalgisa.phone }
    await post({ ...phone, list: 'NEWS', subscribe: '1' })
    await post({ ...phone, subscribe: '0' })
    const profile = { phoneNumber: adalgisa.phone, externalId: 'another-account' }
    await partsOf(shop.payload).outbox.store([
      { key: 'other', message: { kind: 'identify', profile }, acceptedAt: new Date() },
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
      await shop.deliver()
      const fault = { kind: 'error', status: 503, calls: ['unsubscribe'], times: 1 } as const
      shop.klaviyo.faults.add(fault)
      await leave(adalgisa.email)
      await shop.remove(id)
      expect(await sendsOf('quux')).toEqual([
        ['unsubscribe', 'queued'],
        ['erase', 'queued'],
      ])
      const before = taken().length
      const isDone = async () => {
        await shop.passTime()
        if (minutes > 0) {
          const ahead = new Date(Date.now() + minutes * 60_000).toISOString()
          await sqlDatabase(shop.payload).run(
            sql`update marketing_sends set accepted_at = ${ahead} where kind = 'unsubscribe'`,
          )
        }
        await shop.deliver()
        return (await shop.erasures()).every(({ state }) => state === 'done')
      }
      await expect.poll(isDone).toBe(true)
      expect(taken().slice(before)).toEqual(['unsubscribe', 'delete-profile'])
      expect(await sendsOf('quux')).toEqual([])
      expect(shop.klaviyo.state.profileByEmail(adalgisa.email)).toBeUndefined()
      expect((await shop.search([adalgisa.email])).sort()).toEqual(['orders', 'transactions'])
    },
  )

  it('that Klaviyo refuses for good stays among the sends until somebody decides', async () => {
    await open()
    const { id } = await shop.signUp()
    await shop.deliver()
    shop.klaviyo.faults.add({ kind: 'error', status: 400, calls: ['unsubscribe'] })
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
