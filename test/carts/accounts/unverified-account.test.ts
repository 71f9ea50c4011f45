import type { AuthStrategy, Where } from 'payload'
import { describe, expect, it } from 'vitest'
import { partsOf } from '../../support/parts.js'
import type { Profile } from '../../../src/marketing/klaviyo/profile.js'
import { eventShop } from '../../marketing/feeds/event-shop.js'
import { anAddress, anOrder, saveOrder } from '../../support/orders.js'
import { createProduct } from '../../support/products.js'
import { anyKind } from '../../support/store.js'

const ada = { email: 'ada@example.com', password: 'correct horse battery' }

describe('An account that is to be verified', () => {
  /** A single sign-on, which lets everybody in who says who they are. */
  const signOn: AuthStrategy = {
    name: 'sign-on',
    async authenticate({ payload, headers }) {
      const where = { email: { equals: headers.get('x-sign-on') ?? '' } }
      const user = await payload.db.findOne({ collection: 'users', where })
      return { user: user && { ...(user as object), collection: 'users' } } as never
    },
  }
  const userAuth = { strategies: [signOn], verify: true }
  const shop = eventShop(anyKind, { userAuth, cleared: ['carts', 'users'] })

  const signUp = async (data: Record<string, unknown> = ada, context = {}) => {
    const made = { collection: 'users', data, disableVerificationEmail: true, context } as const
    return Number((await shop.payload.create(made)).id)
  }
  const find = (where: Where) => shop.payload.db.findOne({ collection: 'users', where })
  const verify = async (id: number, by: 'local' | 'rest' = 'local') => {
    const account = await find({ id: { equals: id } })
    const token = String((account as unknown as Record<string, unknown>)._verificationToken)
    if (by === 'local') await shop.payload.verifyEmail({ collection: 'users', token })
    else expect((await shop.aBrowser().apiPost(`/users/verify/${token}`, {})).status).toBe(200)
  }
  const profiles = async () =>
    (await shop.reported()).map(({ message }) => ({ kind: message.kind, ...message.profile }))

  it('is not sent before, however often it is saved and read', async () => {
    const id = await signUp()
    await shop.update('users', id, { roles: ['customer'] })
    await shop.restartFeeds()
    expect(await profiles()).toEqual([])
  })

  it.each(['local', 'rest'] as const)(
    'is sent within seconds once it is verified by the %s API, and not again',
    async (by) => {
      const id = await signUp()
      await verify(id, by)
      const told = [{ kind: 'identify', email: ada.email, externalId: String(id) }]
      expect(await profiles()).toEqual(told)
      await shop.restartFeeds()
      expect(await profiles()).toEqual(told)
    },
  )

  it('is sent when an admin verifies it, and then again only when something has changed', async () => {
    const id = await signUp()
    await shop.update('users', id, { _verified: true })
    expect(await profiles()).toHaveLength(1)
    await shop.update('users', id, { roles: ['customer'] })
    await shop.restartFeeds()
    expect(await profiles()).toHaveLength(1)
    await shop.update('users', id, { email: 'countess@example.com' })
    expect(await profiles()).toMatchObject([{}, { email: 'countess@example.com' }])
  })

  it('waits anew where the store has a changed address verified', async () => {
    const id = await signUp({ ...ada, _verified: true })
    expect(await profiles()).toMatchObject([{ email: ada.email }])
    await shop.update('users', id, {
      email: 'victim@example.com',
      _verified: false,
      _verificationToken: 'a new token',
    })
    await shop.restartFeeds()
    expect(await profiles()).toMatchObject([{ email: ada.email }])
    await shop.payload.verifyEmail({ collection: 'users', token: 'a new token' })
    await shop.restartFeeds()
    expect(await profiles()).toMatchObject([{}, { email: 'victim@example.com' }])
  })

  it('is not named beside an email that it has not proved, as that may be a stranger’s', async () => {
    const email = 'stranger@example.com'
    const id = await signUp({ ...ada, _verified: true, phone: '+442079461234' })
    expect(await profiles()).toMatchObject([{ email: ada.email, externalId: String(id) }])
    await shop.loseSends()
    await shop.update('users', id, { email })
    const product = await createProduct(shop.payload)
    const items = [{ product, quantity: 1 }]
    await shop.payload.create({
      collection: 'carts',
      data: { customer: id, currency: 'USD', items },
    })
    await shop.leaveCarts()
    const shippingAddress = anAddress({ phone: '' })
    await saveOrder(shop.payload, anOrder({ customer: id, customerEmail: email, shippingAddress }))
    const visitor = shop.aBrowser()
    await visitor.post('/actions/users/login', { ...ada, email })
    await visitor.post('/actions/marketingconnect/api/identify', {})
    const named = await profiles()
    expect(new Set(named.map(({ kind }) => kind))).toEqual(new Set(['identify', 'event']))
    expect(named.filter((profile) => profile.email !== email)).toEqual([])
    expect(named.filter(({ externalId, phoneNumber }) => externalId ?? phoneNumber)).toEqual([])
    await shop.update('users', id, { _verified: false })
    await shop.update('users', id, { _verified: true })
    await shop.restartFeeds()
    expect((await profiles()).slice(named.length)).toMatchObject([
      { email, externalId: String(id) },
    ])
  })

  it('imported without events, it is sent neither then nor by a save after it was verified', async () => {
    const id = await signUp({ ...ada, _verified: true }, { storeconnect: 'import' })
    await shop.update('users', id, { roles: ['customer'] })
    await shop.restartFeeds()
    expect(await profiles()).toEqual([])
  })

  it('says nothing of its cart, until it is verified', async () => {
    const product = await createProduct(shop.payload)
    const id = await signUp()
    await shop.payload.create({
      collection: 'carts',
      data: { customer: id, currency: 'USD', items: [{ product, quantity: 1 }] },
    })
    await shop.leaveCarts()
    expect(await shop.events()).toEqual([])
    await verify(id)
    await shop.restartFeeds()
    expect(await shop.events()).toMatchObject([{ name: 'Updated Cart' }])
  })

  it('adds nothing to a form that is posted by who is let in without a verification', async () => {
    const id = await signUp()
    const identify = async () => {
      await shop.loseSends()
      const headers = { 'x-sign-on': ada.email }
      const path = '/actions/marketingconnect/api/identify'
      await shop.aBrowser().post(path, {}, { headers })
      return profiles()
    }
    expect(await identify()).toEqual([])
    await verify(id)
    expect(await identify()).toMatchObject([{ email: ada.email }])
  })

  it('is erased by its id alone: its email may be somebody else’s', async () => {
    const { outbox } = partsOf(shop.payload)
    const send = (key: string, profile: Profile) => ({
      key,
      message: { kind: 'identify', profile } as const,
      acceptedAt: new Date(),
    })
    const ids = [await signUp(), await signUp({ ...ada, email: 'grace@example.com' })]
    await verify(ids[1] ?? 0)
    await outbox.store([
      send('of whoever has the email', { email: ada.email }),
      send('of the account', { email: 'other@example.com', externalId: String(ids[0]) }),
      send('of the verified one', { email: 'grace@example.com' }),
    ])
    for (const id of ids) await shop.payload.delete({ collection: 'users', id })
    const left = (await shop.reported()).map(({ key }) => key)
    expect(left).toEqual(['of whoever has the email'])
  })
})
