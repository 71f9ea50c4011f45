import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { Problem } from '../../src/errors.js'
import { createForwards } from '../../src/http/forward.js'
import { defineAction } from '../../src/http/store-action.js'
import type { Action } from '../../src/http/visit.js'
import { mutationsOf } from '../support/mutations.js'
import { ajax, openDoor, type TestDoor } from '../support/open-door.js'
import { propertyRuns, propertyTimeoutMs } from '../support/property-runs.js'

describe('forward', () => {
  let door: TestDoor
  /** What the forwarded action saw: how much was stored by then, and the parameters. */
  const seen: { stored: number; productId: unknown }[] = []
  const stored = async () => (await door.payload.count({ collection: 'marketing-sends' })).totalDocs
  const look = defineAction('shop/look', async ({ parameters, reply }) => {
    seen.push({ stored: await stored(), productId: parameters.productId })
    return reply({ from: 'look' })
  })
  const refuse = defineAction('shop/refuse', () => {
    throw new Problem('PARAMETER_INVALID')
  })

  beforeAll(async () => {
    door = await openDoor({ actions: [look, refuse] })
  })
  afterAll(() => door.close())
  beforeEach(async () => {
    await door.payload.db.deleteMany({ collection: 'marketing-sends', where: {} })
    door.log.clear()
    seen.splice(0)
  })

  const post = (fields: Record<string, string>, headers = {}) =>
    door
      .aBrowser()
      .post('marketingconnect/api/track', { email: 'ada@shop.example', ...fields }, { headers })
  const steps = async () => [
    ...((await stored()) > 0 ? ['stored'] : []),
    ...seen.map(() => 'forwarded'),
  ]

  it('runs the action after the sends are stored, hands it the same POST parameters and checks, and returns its response', async () => {
    const redirect = door.sign('/cart')
    const response = await post({ forward: 'shop/look/', redirect, productId: '4' })
    expect(response.headers.get('location')).toBe('/cart')
    expect(seen).toEqual([{ stored: 1, productId: '4' }])
    const script = await post({ forward: 'shop/look' }, ajax)
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

  it('cannot be set up to lead to an action of our own', () => {
    const action: Action = () => Promise.resolve(new Response())
    const setUp = () => createForwards({ actions: { 'marketingconnect/api/track': action } })
    expect(setUp).toThrow(TypeError)
  })

  it(
    'leads nowhere but to the very name of a registered action',
    () => {
      const action: Action = () => Promise.resolve(new Response())
      const registered = { 'commerce/cart/update-cart': action, 'users/login': action }
      const forwards = createForwards({ actions: registered })
      const seeds = fc.constantFrom(
        ...Object.keys(registered),
        'marketingconnect/api/track',
        'shippingconnect/orders/process',
        'users/session-info',
      )
      fc.assert(
        fc.property(seeds.chain(mutationsOf), (forward) => {
          let found: Action | undefined
          try {
            found = forwards.find({ forward })
          } catch (error) {
            expect(error).toBeInstanceOf(Problem)
          }
          const isRegistered = Object.hasOwn(registered, forward.replace(/\/$/, ''))
          expect(found === action).toBe(isRegistered)
        }),
        { numRuns: propertyRuns },
      )
    },
    propertyTimeoutMs,
  )
})
