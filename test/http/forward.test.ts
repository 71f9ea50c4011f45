import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formAction, formReply } from '../../src/http/form-action.js'
import type { FormVisit } from '../../src/http/visit.js'
import { createForwards } from '../../src/http/forward.js'
import type { Action } from '../../src/http/visit.js'
import { Problem } from '../../src/errors.js'
import { ajax, formParts, openDoor } from '../support/open-door.js'
import { mutationsOf } from '../support/mutations.js'
import { propertyRuns, propertyTimeoutMs } from '../support/property-runs.js'

/** A door that stores something and then forwards, as identify and track do. */
function aForwardingDoor(more: Record<string, Action> = {}) {
  const steps: string[] = []
  const seen: FormVisit[] = []
  const update = formAction(formParts, (form) => {
    steps.push('forwarded')
    seen.push(form)
    return Promise.resolve(formReply(form, { ajax: { from: 'update-cart' } }))
  })
  const forwardable = { 'commerce/cart/update-cart': update, ...more }
  const forwards = createForwards({ actions: forwardable })
  const store = formAction(formParts, (form) => {
    const forward = forwards.find(form.tree)
    steps.push('stored')
    seen.push(form)
    return forward?.(form.visit) ?? Promise.resolve(formReply(form, { ajax: 'success' }))
  })
  const door = openDoor({
    actions: { ...forwardable, 'marketingconnect/api/track': store },
  })
  const post = (fields: Record<string, string>, headers = {}) =>
    door.aBrowser().post('marketingconnect/api/track', fields, { headers })
  return { ...door, steps, seen, post }
}

describe('forward', () => {
  it('runs the action after the sends are stored; it returns the response', async () => {
    const { post, steps } = aForwardingDoor()
    const response = await post({ forward: 'commerce/cart/update-cart' }, ajax)
    expect(await response.json()).toEqual({ from: 'update-cart' })
    expect(steps).toEqual(['stored', 'forwarded'])
  })

  it('hands the same POST parameters, session and checks on', async () => {
    const { post, seen, sign } = aForwardingDoor()
    const response = await post({
      forward: 'commerce/cart/update-cart/',
      redirect: sign('/cart'),
      productId: '4',
    })
    expect(response.status).toBe(303)
    expect(response.headers.get('location')).toBe('/cart')
    const [first, second] = seen
    expect(second?.tree).toBe(first?.tree)
    expect(second?.tree.productId).toBe('4')
    expect(second?.session).toBe(first?.session)
  })

  it('is not stopped by a session that got a new id on the way', async () => {
    const forwards = createForwards({
      actions: {
        'users/login': formAction(formParts, () => Promise.resolve(Response.json('in'))),
      },
    })
    const renewing = formAction(formParts, (form) => {
      form.session.renew()
      const forward = forwards.find(form.tree)
      return forward?.(form.visit) ?? Promise.reject(new Error('not forwarded'))
    })
    const browser = openDoor({ actions: { 'shop/renew': renewing } }).aBrowser()
    const response = await browser.post('shop/renew', { forward: 'users/login' })
    expect(await response.json()).toBe('in')
  })

  it('answers with the error of the forwarded action', async () => {
    const refuse: Action = () => Promise.reject(new Problem('PARAMETER_INVALID'))
    const { post, steps } = aForwardingDoor({ 'shop/refuse': refuse })
    const response = await post({ forward: 'shop/refuse' })
    expect(response.status).toBe(400)
    expect(steps).toEqual(['stored'])
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
    const { post, steps, lines } = aForwardingDoor()
    const response = await post({ forward })
    expect(response.status).toBe(400)
    expect(response.headers.get('x-error-code')).toBe('FORWARD_NOT_ALLOWED')
    expect(steps).toEqual([])
    expect(lines.map(({ fields }) => fields.code)).toEqual(['FORWARD_NOT_ALLOWED'])
  })

  it.each([
    '',
    '/',
    'unknown/action',
    'users/session-info',
    'commerce/cart',
    'commerce/cart/Update-Cart',
    'commerce//cart/update-cart',
    'commerce/cart/update-cart//',
    '../commerce/cart/update-cart',
    'commerce%2fcart%2fupdate-cart',
    'commerce/cart/update-cart?x=1',
    'https://evil.example/',
    'constructor',
    '__proto__',
  ])('an unknown action is 404, and nothing is done: "%s"', async (forward) => {
    const { post, steps } = aForwardingDoor()
    const response = await post({ forward })
    expect(response.status).toBe(404)
    expect(response.headers.get('x-error-code')).toBe('FORWARD_NOT_FOUND')
    expect(steps).toEqual([])
  })

  it.each(['forward[]', 'forward[a]'])('one that is no text is 400: %s', async (name) => {
    const { post, steps } = aForwardingDoor()
    expect((await post({ [name]: 'commerce/cart/update-cart' })).status).toBe(400)
    expect(steps).toEqual([])
  })

  it('is checked after the CSRF token', async () => {
    const { aBrowser, steps } = aForwardingDoor()
    const response = await aBrowser().post(
      'marketingconnect/api/track',
      { forward: 'commerce/cart/update-cart' },
      { token: null },
    )
    expect(response.headers.get('x-error-code')).toBe('CSRF_INVALID')
    expect(steps).toEqual([])
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
