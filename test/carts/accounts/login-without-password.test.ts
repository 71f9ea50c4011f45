import type { CollectionConfig } from 'payload'
import { afterEach, describe, expect, it } from 'vitest'
import { anyKind, openStore, type TestStore } from '../../support/store.js'
import { shopOrigin } from '../../support/browser.js'
import { linkTo } from '../restore/restore-world.js'

type UserAuth = CollectionConfig['auth']

/** A single sign-on, by which nobody is logged in just now. */
const strategies = [{ name: 'sign-on', authenticate: () => ({ user: null }) }]
const disableLocalStrategy = { enableFields: true, optionalPassword: true } as const

describe('The cart of an account without a password', () => {
  let store: TestStore
  afterEach(() => store.close())

  /** What a guest gets who opens the link of such a cart. */
  const openAsGuest = async (userAuth: UserAuth) => {
    store = await openStore(anyKind, { userAuth })
    const { payload } = store
    const data = { handle: 'main', name: 'Main', baseUrl: shopOrigin, primary: true, cartUrl: '/' }
    await payload.create({ collection: 'sites', data })
    const account = { email: 'zofia@shop.example', password: 'green tea, no sugar' }
    const { id: customer } = await payload.create({ collection: 'users', data: account })
    const stored = { hash: null, salt: null }
    await payload.db.updateOne({ collection: 'users', id: customer, data: stored })
    const { id, number } = await payload.create({ collection: 'carts', data: { customer } })
    const response = await store.aBrowser().get(linkTo({ number: String(number) }))
    const { secret } = await payload.findByID({ collection: 'carts', id })
    return { page: await response.text(), secret: secret as unknown }
  }

  it.each<[string, UserAuth]>([
    ['beside passwords', { strategies }],
    ['in their place', { strategies, disableLocalStrategy }],
  ])("stays the account's when a sign-on of the store lets it in %s", async (_, userAuth) => {
    const { page, secret } = await openAsGuest(userAuth)
    expect(page).toContain('<h1>Log In</h1>')
    expect(secret).toBeNull()
  })

  it.each<[string, UserAuth]>([
    ['asks for passwords', true],
    ['lets nobody in', { disableLocalStrategy }],
  ])('goes to a guest where the store %s', async (_, userAuth) => {
    const { page, secret } = await openAsGuest(userAuth)
    expect(page).toBe('')
    expect(secret).toBeNull()
  })
})
