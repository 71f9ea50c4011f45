import { expect, it } from 'vitest'
import { linesThatFit } from '../../../../src/shop/payments/cart-limit.js'

const [row, uuid] = ['65f1c0ffee0123456789abcd', 'c0ffee00-0123-4567-89ab-cdef01234567']

it.each([
  ['numbers', { id: row, product: 1234, quantity: 1 }, 8],
  ['numbers and variants', { id: row, product: 1234, variant: 4321, quantity: 1 }, 6],
  ['UUIDs', { id: row, product: uuid, quantity: 1 }, 5],
  ['UUIDs and variants', { id: row, product: uuid, variant: uuid, quantity: 1 }, 3],
  ['populated documents', { id: row, product: { id: uuid, title: 'Tea' }, quantity: 1 }, 5],
  ['no variant', { id: row, product: 1234, variant: null, quantity: 1 }, 8],
])('A cart whose lines have %s comes to its limit', (_with, line, limit) => {
  const cart = (count: number) => Array.from({ length: count }, () => line)
  expect(linesThatFit(cart(limit))).toBe(limit)
  expect(linesThatFit(cart(limit + 1))).toBe(limit)
  expect(linesThatFit(cart(1))).toBeUndefined()
})
