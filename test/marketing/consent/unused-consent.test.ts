import { beforeAll, describe, expect, it } from 'vitest'
import { countStatements } from '../../support/count-statements.js'
import { createProduct } from '../../support/products.js'
import { sharedStore } from '../../support/shared-store.js'
import { anyKind } from '../../support/store.js'
import type { TestBrowser } from '../../support/browser.js'
import { anOffer } from './consent-offer.js'

describe('A request without consent', () => {
  let browser: TestBrowser
  let posts = 0

  const shop = sharedStore(anyKind)
  beforeAll(async () => {
    const tea = await createProduct(shop.payload, { inventory: 1000 })
    browser = shop.aBrowser()
    await post('commerce/cart/update-cart', { productId: String(tea) })
  })

  const post = async (action: string, fields: Record<string, string>) => {
    const answer = await browser.post(`/actions/${action}`, fields, { ajax: true })
    expect(answer.status, await answer.clone().text()).toBe(200)
  }
  /** What it asks of the tables that consent has to do with. Other work may run meanwhile. */
  const statementsOf = async (action: string, fields: () => Record<string, string>) => {
    // The first one fills the caches.
    await post(action, fields())
    const { texts, end } = countStatements(shop.payload.db)
    await post(action, fields())
    const asked = texts().filter((text) => /"(carts|users|marketing_sends)"/.test(text))
    end()
    return asked
  }
  const follow = (followUnsubscribes: boolean) =>
    shop.payload.updateGlobal({ slug: 'marketing-settings', data: { followUnsubscribes } })

  it('writes nothing of it to the cart: an answer costs one statement more', async () => {
    const without = await statementsOf('commerce/cart/update-cart', () => ({}))
    const answer = { 'consent[offer]': anOffer(shop), 'consent[email]': '1' }
    const withAnswer = await statementsOf('commerce/cart/update-cart', () => answer)
    const isWrite = (text: string) => /^update\b.*"consent_email_given"/is.test(text)
    expect(without.filter(isWrite)).toEqual([])
    expect(withAnswer.filter(isWrite)).toHaveLength(1)
    expect(withAnswer).toHaveLength(without.length + 1)
  })

  it.each([
    ['is identified', 'identify', {}],
    ['is tracked', 'track', { 'event[name]': 'Looked' }],
    ['joins a list', 'track', { list: 'VIPLIST' }],
    ['subscribes', 'track', { list: 'VIPLIST', subscribe: '1' }],
  ])('of whoever %s asks the same, whether unsubscribes are followed or not', async (...given) => {
    const [, action, fields] = given
    const someone = () => ({ email: `visitor${++posts}@example.com`, ...fields })
    const path = `marketingconnect/api/${action}`
    await follow(false)
    const off = await statementsOf(path, someone)
    await follow(true)
    const on = await statementsOf(path, someone)
    expect(off).not.toEqual([])
    expect(on.length).toBe(off.length)
  })
})
