import { describe, expect, it } from 'vitest'
import { abandonedCartNumbers } from '../../../dev/abandoned-cart-numbers.ts'
import { accounts } from '../../../dev/seed/accounts.ts'
import { demoCarts } from '../../../dev/seed/demo-carts.ts'
import { products } from '../../../dev/seed/products.ts'

describe('the carts of a fresh demo store', () => {
  it('hold the two whose links are printed: a guest has one, an account the other', () => {
    const ownerOf = (wanted: string) => {
      const [cart, ...others] = demoCarts.filter(({ number }) => number === wanted)
      expect(others).toEqual([])
      expect(cart?.isPurchased).toBeUndefined()
      return cart?.email
    }
    expect(ownerOf(abandonedCartNumbers.guest)).toBeUndefined()
    expect(accounts.map(({ email }) => email)).toContain(ownerOf(abandonedCartNumbers.customer))
  })

  it('have numbers of 32 hex digits', () => {
    for (const number of Object.values(abandonedCartNumbers))
      expect(number).toMatch(/^[\da-f]{32}$/)
  })

  it('hold products of the shop that come in one kind, so that a line needs no more', () => {
    for (const { items } of demoCarts) {
      for (const { slug } of items) {
        expect(products.find((product) => product.slug === slug)).toMatchObject({ slug })
        expect(products.find((product) => product.slug === slug)?.variants).toBeUndefined()
      }
    }
  })
})
