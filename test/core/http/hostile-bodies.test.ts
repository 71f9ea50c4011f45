import { beforeAll, describe, expect, it } from 'vitest'
import { bodyLimitBytes } from '../../../src/core/http/request-body.js'
import { hostileBodies, type HostileBody } from '../../support/hostile-bodies.js'
import { saveOrder } from '../../support/orders.js'
import { noticeRequest } from '../../support/shipping-requests.js'
import { sharedStore } from '../../support/shared-store.js'
import { anyKind } from '../../support/store.js'
import { shopOrigin } from '../../support/browser.js'

/** The shapes that were seen to stall a store, and to end its process. */
const seen: Readonly<Record<string, () => string>> = {
  'a name of 60,000 letters over 900 values': () =>
    `{"${'A'.repeat(60_000)}":[${Array(900).fill(1).join(',')}]}`,
  'a name of 131,072 letters over 65,000 values': () =>
    `{"${'A'.repeat(131_072)}":[${Array(65_000).fill(1).join(',')}]}`,
  'a list of 125,000 values': () => `{"a":[${Array(125_000).fill(1).join(',')}]}`,
}

describe('A body that is made to cost more than its size', () => {
  let reference: string
  let headers: Record<string, string>
  const store = sharedStore(anyKind, {
    options: {
      marketing: { delivery: 'task', settings: { postsPerAddress: 0, postsPerNetwork: 0 } },
    },
  })
  beforeAll(async () => {
    reference = (await saveOrder(store.payload)).reference
    const browser = store.aBrowser()
    const token = await browser.token()
    headers = { origin: shopOrigin, cookie: browser.cookie, 'x-csrf-token': token }
  })

  /** Everything that a post could have left behind. */
  const stored = async () => {
    const collections = ['marketing-sends', 'shipping-notices', 'carts', 'users', 'orders'] as const
    return Promise.all(collections.map((collection) => store.payload.find({ collection })))
  }

  const post = (path: string, contentType: string, body: Uint8Array<ArrayBuffer> | string) =>
    store.handle(
      new Request(`${shopOrigin}/actions/${path}`, {
        method: 'POST',
        body,
        headers: { ...headers, 'content-type': contentType },
      }),
    )

  const send = (shape: HostileBody) => {
    const body = new Uint8Array(shape.make(bodyLimitBytes))
    if (shape.kind !== 'xml') return post('marketingconnect/api/track', shape.contentType, body)
    const init = { body, headers: { 'content-type': shape.contentType } }
    return store.handle(noticeRequest({ order_number: reference }, init))
  }

  it.each(Object.entries(seen))('is refused: %s', async (_name, body) => {
    for (const path of ['users/login', 'marketingconnect/api/track']) {
      expect((await post(path, 'application/json', body())).status).toBe(400)
    }
  })

  it('is not even read where the token in the header is wrong', async () => {
    const body = new ReadableStream({
      pull: () => {
        throw new Error('The body was read.')
      },
    })
    const init = { method: 'POST', body, duplex: 'half' } as RequestInit
    for (const wrong of [
      { ...headers, 'x-csrf-token': 'wrong' },
      { ...headers, origin: 'https://elsewhere.example' },
    ]) {
      const url = `${shopOrigin}/actions/users/login`
      expect((await store.handle(new Request(url, { ...init, headers: wrong }))).status).toBe(400)
    }
  })

  it('that adds more things to a cart than a cart can have is refused', async () => {
    const items = Array.from({ length: 101 }, () => ({ productId: '1', qty: '1' }))
    const path = 'commerce/cart/update-cart'
    const response = await post(path, 'application/json', JSON.stringify({ items }))
    expect(response.status).toBe(400)
    expect(await response.text()).toContain('One post adds at most 100 products.')
  })

  const refused = hostileBodies.filter(({ isRefused }) => isRefused)

  it(`of all ${refused.length} shapes is refused with 400, and nothing is stored`, async () => {
    const before = await stored()
    for (const shape of refused) expect((await send(shape)).status, shape.name).toBe(400)
    expect(await stored()).toEqual(before)
  })

  it('that is only odd is no failure of ours', async () => {
    for (const shape of hostileBodies.filter(({ isRefused }) => !isRefused)) {
      expect([200, 303, 400], shape.name).toContain((await send(shape)).status)
    }
  })
})
