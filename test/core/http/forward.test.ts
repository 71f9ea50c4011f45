import fc from 'fast-check'
import { beforeEach, describe, expect, it } from 'vitest'
import { Problem } from '../../../src/core/errors.js'
import { defineAction } from '../../../src/core/http/define-action.js'
import { mutationsOf } from '../../support/mutations.js'
import { signed } from '../../support/browser.js'
import { simulatedStore } from '../../support/simulated-store.js'
import { anyKind } from '../../support/store.js'
import { propertyRuns, propertyTimeoutMs } from '../../support/property-runs.js'

const ada = { email: 'ada@shop.example' }

describe('forward', () => {
  /** What the forwarded action saw: how much was stored by then, and the parameters. */
  const seen: { stored: number; productId: unknown }[] = []
  const stored = async () => (await door.sends()).length
  const look = defineAction('shop/look', async ({ parameters, reply }) => {
    seen.push({ stored: await stored(), productId: parameters.productId })
    return reply({ from: 'look' })
  })
  const refuse = defineAction('shop/refuse', () => {
    throw new Problem('PARAMETER_INVALID')
  })

  const door = simulatedStore(anyKind, {
    options: {
      actions: [look, refuse],
      marketing: { settings: { postsPerAddress: 0, postsPerNetwork: 0 } },
    },
  })
  beforeEach(() => void seen.splice(0))

  const post = (fields: Record<string, string>, ajax = false) =>
    door.aBrowser().post('marketingconnect/api/track', { ...ada, ...fields }, { ajax })
  const steps = async () => [
    ...((await stored()) > 0 ? ['stored'] : []),
    ...seen.map(() => 'forwarded'),
  ]

  it('runs the action after the sends are stored, hands it the same POST parameters and checks, and returns its response', async () => {
    const redirect = signed(door, '/cart')
    const response = await post({ forward: 'shop/look/', redirect, productId: '4' })
    expect(response.headers.get('location')).toBe('/cart')
    expect(seen).toEqual([{ stored: 1, productId: '4' }])
    const script = await post({ forward: 'shop/look' }, true)
    expect(await script.json()).toEqual({ from: 'look' })
  })

  it('answers with the error of the forwarded action', async () => {
    expect((await post({ forward: 'shop/refuse' })).status).toBe(400)
    expect(await steps()).toEqual(['stored'])
  })

  it.each([
    'marketingconnect/api/track',
    'marketingconnect/api/identify',
    'marketingconnect/cart/restore',
    'marketingconnect/api/track/',
    'shippingconnect/orders/process',
    'ShippingConnect/orders/process',
    '/actions/marketingconnect/api/track',
    'users/login/../../marketingconnect/api/track',
    'marketingconnect%2fapi%2ftrack',
    '%256darketingconnect/api/track',
    'marketingconnect\\api\\track',
    'ｍarketingconnect/api/track',
    'x'.repeat(10_000),
  ])("the service's own actions are 400, and nothing is done: %.60s", async (forward) => {
    const response = await post({ forward })
    expect(response.status).toBe(400)
    expect(response.headers.get('x-error-code')).toBe('FORWARD_NOT_ALLOWED')
    expect(await steps()).toEqual([])
    expect(door.log.lines().map(({ code }) => code)).toEqual(['FORWARD_NOT_ALLOWED'])
  })

  it.each([
    ...[
      '',
      '/',
      'unknown/action',
      'users/session-info',
      'commerce/cart',
      'constructor',
      '__proto__',
    ],
    ...['commerce/cart/Update-Cart', 'commerce//cart/update-cart', 'commerce/cart/update-cart//'],
    ...['../commerce/cart/update-cart', 'commerce%2fcart%2fupdate-cart', 'https://evil.example/'],
  ])('an unknown action is 404, and nothing is done: "%s"', async (forward) => {
    const response = await post({ forward })
    expect(response.status).toBe(404)
    expect(response.headers.get('x-error-code')).toBe('FORWARD_NOT_FOUND')
    expect(await steps()).toEqual([])
  })

  it.each(['forward[]', 'forward[a]'])('one that is no text is 400: %s', async (name) => {
    expect((await post({ [name]: 'shop/look' })).status).toBe(400)
    expect(await steps()).toEqual([])
  })

  it(
    'leads nowhere but to the very name of a registered action',
    async () => {
      const browser = door.aBrowser()
      const token = await browser.token()
      const seeds = fc.constantFrom(
        'shop/look',
        'shop/refuse',
        'marketingconnect/api/track',
        'shippingconnect/orders/process',
        'users/session-info',
      )
      await fc.assert(
        fc.asyncProperty(seeds.chain(mutationsOf), async (forward) => {
          seen.splice(0)
          await browser.post('marketingconnect/api/track', { ...ada, forward }, { token })
          expect(seen).toHaveLength(/^shop\/look\/?$/.test(forward) ? 1 : 0)
        }),
        { numRuns: propertyRuns },
      )
    },
    propertyTimeoutMs,
  )
})
