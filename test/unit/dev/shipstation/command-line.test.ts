import { describe, expect, it } from 'vitest'
import { parseCommandLine, UsageError } from '../../../../dev/shipstation/command-line.ts'

const urlOf = (env: Record<string, string>, ...flags: string[]) => {
  const command = parseCommandLine(['pull', ...flags], { env, now: new Date() })
  return command.name === 'pull' ? command.connection.url : undefined
}

describe('npm run shipstation', () => {
  it('asks the store on port 3000 of this machine', () => {
    expect(urlOf({})).toBe('http://127.0.0.1:3000/actions/shippingconnect/orders/process')
  })

  it('asks the store on the port that PORT names, as npm start serves it', () => {
    const url = 'http://127.0.0.1:3100/actions/shippingconnect/orders/process'
    expect(urlOf({ PORT: '3100' })).toBe(url)
  })

  it('asks the store that the address names, whatever PORT says', () => {
    const shop = 'https://shop.example/actions/shippingconnect/orders/process'
    expect(urlOf({ PORT: '3100', SHIPSTATION_URL: shop })).toBe(shop)
    expect(urlOf({ PORT: '3100' }, '--url', shop)).toBe(shop)
  })

  it('calls a PORT that is no port wrong use', () => {
    expect(() => urlOf({ PORT: 'web' })).toThrow(UsageError)
  })
})
