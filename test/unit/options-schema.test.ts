import { z } from 'zod'
import { describe, expect, it } from 'vitest'
import { schemaOf } from '../../src/options-schema.js'

interface Declared {
  name?: string
  delivery?: 'loop' | 'task'
  onChange?: (change: number) => void
  proxy?: { header: string; proxies?: number }
  pages?: { sizes?: readonly number[]; texts?: { heading?: string } }
}

const onChange = z.custom<(change: number) => void>()
const proxy = z.strictObject({ header: z.string(), proxies: z.number().optional() })
const texts = z.strictObject({ heading: z.string().optional() })
const pages = z.strictObject({
  sizes: z.array(z.number()).readonly().optional(),
  texts: texts.optional(),
})
const all = {
  name: z.string().optional(),
  delivery: z.enum(['loop', 'task']).optional(),
  onChange: onChange.optional(),
  proxy: proxy.optional(),
  pages: pages.optional(),
}

describe('The schema of options', () => {
  const declared = schemaOf<Declared>()

  it('compiles when it takes what is declared', () => {
    expect(declared(z.strictObject(all)).parse({ pages: { sizes: [1] } })).toEqual({
      pages: { sizes: [1] },
    })
  })

  it('does not compile without an option that is declared, in whatever group', () => {
    const unnamed = z.strictObject(all).omit({ name: true })
    // @ts-expect-error -- `name` is missing.
    declared(unnamed)
    // @ts-expect-error -- `proxy.proxies` is missing.
    declared(z.strictObject({ ...all, proxy: proxy.omit({ proxies: true }).optional() }))
    const noTexts = pages.extend({ texts: texts.omit({ heading: true }).optional() })
    // @ts-expect-error -- `pages.texts.heading` is missing.
    declared(z.strictObject({ ...all, pages: noTexts.optional() }))
    expect(() => unnamed.parse({ name: 'x' })).toThrow('Unrecognized key')
  })

  it('does not compile with an option that is not declared, in whatever group', () => {
    const other = z.string().optional()
    // @ts-expect-error -- `other` is not declared.
    declared(z.strictObject({ ...all, other }))
    // @ts-expect-error -- `proxy.other` is not declared.
    declared(z.strictObject({ ...all, proxy: proxy.extend({ other }).optional() }))
    const moreTexts = pages.extend({ texts: texts.extend({ other }).optional() })
    // @ts-expect-error -- `pages.texts.other` is not declared.
    declared(z.strictObject({ ...all, pages: moreTexts.optional() }))
    expect(z.strictObject({ ...all, other }).parse({ other: 'x' })).toEqual({ other: 'x' })
  })

  it('does not compile with another type, nor where only one side may do without', () => {
    // @ts-expect-error -- `delivery` lacks a choice.
    declared(z.strictObject({ ...all, delivery: z.enum(['loop']).optional() }))
    // @ts-expect-error -- `onChange` is given another value.
    declared(z.strictObject({ ...all, onChange: z.custom<(change: string) => void>().optional() }))
    // @ts-expect-error -- `proxy` is a group.
    declared(z.strictObject({ ...all, proxy: z.string().optional() }))
    // @ts-expect-error -- `name` is required.
    declared(z.strictObject({ ...all, name: z.string() }))
    // @ts-expect-error -- `proxy` is required.
    declared(z.strictObject({ ...all, proxy }))
    expect(() => z.strictObject({ ...all, proxy }).parse({})).toThrow('proxy')
  })
})
