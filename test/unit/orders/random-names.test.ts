import { describe, expect, it } from 'vitest'
import { newNumber, newReference } from '../../../src/orders/order-creation.js'

const many = <Name>(make: () => Name) => Array.from({ length: 2000 }, make)

describe('newNumber', () => {
  it('is 32 hex digits, another one each time', () => {
    const numbers = many(newNumber)
    for (const number of numbers) expect(number).toMatch(/^[\da-f]{32}$/)
    expect(new Set(numbers).size).toBe(numbers.length)
  })

  it('uses every digit at every place: nothing of it can be guessed', () => {
    const numbers = many(newNumber)
    for (let place = 0; place < 32; place += 1) {
      expect(new Set(numbers.map((number) => number[place])).size).toBe(16)
    }
  })
})

describe('newReference', () => {
  it('is short, of letters and digits that nobody misreads', () => {
    for (const reference of many(newReference)) {
      expect(reference).toMatch(/^[\dA-HJKMNP-TV-Z]{4}-[\dA-HJKMNP-TV-Z]{4}$/)
    }
  })

  it('is another one each time', () => {
    expect(new Set(many(newReference)).size).toBe(2000)
  })
})
