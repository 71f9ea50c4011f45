import { XMLValidator } from 'fast-xml-parser'
import { describe, expect, it } from 'vitest'
import { products } from '../../../dev/seed/products.ts'

describe.each(products)('the picture of $title', ({ alt, picture }) => {
  it('is a well-formed SVG file without anything from elsewhere', () => {
    const svg = picture()
    expect(XMLValidator.validate(svg)).toBe(true)
    expect(svg.replace('http://www.w3.org/2000/svg', '')).not.toMatch(/https?:|<script|href/)
    expect(svg).not.toMatch(/NaN|undefined/)
  })

  it('has words for people who cannot see it', () => {
    expect(alt.length).toBeGreaterThan(15)
  })
})
