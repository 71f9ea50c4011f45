import { describe, expect, it } from 'vitest'
import { clientIp, networkOrigin } from '../../../../src/core/http/client-ip.js'

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

describe('clientIp', () => {
  const header = 'x-forwarded-for'
  const read = (value: string | undefined, proxies?: number) =>
    clientIp(new Headers(value === undefined ? {} : { [header]: value }), {
      header,
      ...(proxies !== undefined && { proxies }),
    })

  it.each([
    ['198.51.100.9, 192.0.2.1', undefined, '192.0.2.1'],
    ['203.0.113.5, 192.0.2.1, 10.0.0.2', 2, '192.0.2.1'],
    ['192.0.2.1:50712', 1, '192.0.2.1'],
    ['2001:DB8::1', 1, '2001:db8:0:0:0:0:0:1'],
    ['[2001:db8::1]:443', 1, '2001:db8:0:0:0:0:0:1'],
    ['::ffff:192.0.2.1', 1, '192.0.2.1'],
    [undefined, 1, undefined],
    ['', 1, undefined],
    ['192.0.2.1', 2, undefined],
    ['192.0.2.1, unknown', 1, undefined],
    ['192.0.2.1, evil.example:80', 1, undefined],
  ])('of %j behind %s proxies is %s', (value, proxies, expected) => {
    expect(read(value, proxies)).toBe(expected)
  })

  it('reads a header that came in several lines as one list', () => {
    const headers = new Headers()
    headers.append('x-forwarded-for', '198.51.100.9')
    headers.append('x-forwarded-for', '192.0.2.1')
    expect(clientIp(headers, { header: 'X-Forwarded-For' })).toBe('192.0.2.1')
  })
})
