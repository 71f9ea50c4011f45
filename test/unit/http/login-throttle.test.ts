import { describe, expect, it } from 'vitest'
import { createLoginThrottle, triedLoginsPerMinute } from '../../../src/http/login-throttle.js'

describe('createLoginThrottle', () => {
  it('counts an IPv6 network as one, and gives its count back', async () => {
    const throttle = createLoginThrottle()
    for (let host = 1; host <= triedLoginsPerMinute; host += 1) {
      expect(await throttle.try(`2001:db8::${host}`)).toBe(0)
    }
    expect(await throttle.try('2001:db8::ffff')).toBeGreaterThan(0)

    const other = createLoginThrottle()
    for (let host = 1; host <= 2 * triedLoginsPerMinute; host += 1) {
      expect(await other.try(`::ffff:192.0.2.1`)).toBe(0)
      await other.succeeded('192.0.2.1')
    }
  })
})
