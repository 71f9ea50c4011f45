import { describe, expect, it } from 'vitest'
import { formAction, formReply } from '../../src/http/form-action.js'
import { formParts, openDoor, shop } from '../support/open-door.js'

describe('A post whose referrer is no page', () => {
  // All of them have the shop's origin, or say so.
  it.each([
    `blob:${shop}/6f9b1a8e-2f4f-4c9f-9d5e-0d8f3a1b2c3d`,
    `filesystem:${shop}/temporary/form.html`,
    'about:blank',
    'data:text/html,form',
    'javascript:void 0',
  ])('goes back to the shop: %s', async (referer) => {
    const form = formAction(formParts, (visit) =>
      Promise.resolve(formReply(visit, { ajax: 'success' })),
    )
    const browser = openDoor({ actions: { 'shop/form': form } }).aBrowser()
    const response = await browser.post('shop/form', {}, { headers: { referer } })
    expect(response.status).toBe(303)
    expect(response.headers.get('location')).toBe('/')
  })
})
