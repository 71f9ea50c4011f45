import { describe, expect, it } from 'vitest'
import { networkOrigin } from '../../../src/http/network-origin.js'

describe('networkOrigin', () => {
  it.each([
    ['192.0.2.77', '192.0.2.77', '192.0.2.0/24'],
    ['::ffff:192.0.2.77', '192.0.2.77', '192.0.2.0/24'],
    ['2001:DB8::1', '2001:db8:0:0:0:0:0:1', '2001:db8:0:0::/64'],
    ['[2001:db8:1:2:3:4:5:6]', '2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0:0:0:0:1', 'fe80:0:0:0::/64'],
    ['::', '0:0:0:0:0:0:0:0', '0:0:0:0::/64'],
    ['2001:db8:1::', '2001:db8:1:0:0:0:0:0', '2001:db8:1:0::/64'],
  ])('finds address and network of %s', (text, address, network) => {
    expect(networkOrigin(text)).toEqual({ address, network })
  })

  it.each(['', 'unix:', 'shop.example', '192.0.2', '192.0.2.256', '1:2', '%', '[]'])(
    'knows no network of %j',
    (text) => {
      expect(networkOrigin(text)).toBeUndefined()
    },
  )
})
