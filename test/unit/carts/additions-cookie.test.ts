import { describe, expect, it } from 'vitest'
import { additionsCookie, reportedAdditions } from '../../../src/carts/additions-cookie.js'
import { cookieLimitBytes } from '../../../src/core/http/request-headers.js'

const uuid = (index: number) => `5f0c6a3e-8d41-4b7a-9c20-00000000000${index % 10}`

const addition = (index: number) => ({
  ids: { productId: uuid(index), variantId: uuid(index + 1) },
  quantity: 9999,
})

const parametersIn = (setCookie: string) => {
  const [pair = ''] = setCookie.split(';')
  return new URLSearchParams(decodeURIComponent(pair.slice(pair.indexOf('=') + 1)))
}

describe('additionsCookie', () => {
  it('holds the latest additions, with the longest ids, in one cookie', () => {
    const waiting = Array.from({ length: reportedAdditions }, (_, index) => addition(index))
    const first = additionsCookie(waiting, new Headers(), false)
    const [cookie = ''] = first.split(';')
    const both = additionsCookie([addition(3)], new Headers({ cookie }), false)
    expect(Buffer.byteLength(both)).toBeLessThan(cookieLimitBytes)
    const parameters = parametersIn(both)
    expect(parameters.size).toBe(reportedAdditions * 3)
    expect(parameters.get('items[0][productId]')).toBe(uuid(1))
    expect(parameters.get('items[9][variantId]')).toBe(uuid(4))
    expect(parameters.get('items[10][productId]')).toBeNull()
  })

  it('is for one host, and over https alone where the shop has it', () => {
    expect(additionsCookie([addition(1)], new Headers(), true)).toMatch(
      /^__Host-storeconnect-added=\S+; Path=\/; SameSite=Lax; Secure; Max-Age=300$/,
    )
    expect(additionsCookie([addition(1)], new Headers(), false)).toMatch(
      /^storeconnect-added=\S+; Path=\/; SameSite=Lax; Max-Age=300$/,
    )
  })
})
