import * as z from 'zod/mini'
import { describe, expect, it } from 'vitest'
import { schemaOf } from '../../src/core/options-schema.js'

interface Declared {
  name?: string
  delivery?: 'loop' | 'task'
  onChange?: (change: number) => void
  proxy?: { header: string; proxies?: number }
  pages?: { sizes?: readonly number[]; texts?: { heading?: string } }
}

const onChange = z.custom<(change: number) => void>()
const proxy = z.strictObject({ header: z.string(), proxies: z.optional(z.number()) })
const texts = z.strictObject({ heading: z.optional(z.string()) })
const pages = z.strictObject({
  sizes: z.optional(z.readonly(z.array(z.number()))),
  texts: z.optional(texts),
})
const all = {
  name: z.optional(z.string()),
  delivery: z.optional(z.enum(['loop', 'task'])),
  onChange: z.optional(onChange),
  proxy: z.optional(proxy),
  pages: z.optional(pages),
}

describe('The schema of options', () => {
  const declared = schemaOf<Declared>()

  it('compiles when it takes what is declared', () => {
    expect(declared(z.strictObject(all)).parse({ pages: { sizes: [1] } })).toEqual({
      pages: { sizes: [1] },
    })
  })

  it('does not compile without an option that is declared, in whatever group', () => {
    const unnamed = z.omit(z.strictObject(all), { name: true })
    // @ts-expect-error -- `name` is missing.
    declared(unnamed)
    // @ts-expect-error -- `proxy.proxies` is missing.
    declared(z.strictObject({ ...all, proxy: z.optional(z.omit(proxy, { proxies: true })) }))
    const noTexts = z.extend(pages, { texts: z.optional(z.omit(texts, { heading: true })) })
    // @ts-expect-error -- `pages.texts.heading` is missing.
    declared(z.strictObject({ ...all, pages: z.optional(noTexts) }))
    expect(() => unnamed.parse({ name: 'x' })).toThrow('unrecognized_keys')
  })

  it('does not compile with an option that is not declared, in whatever group', () => {
    const other = z.optional(z.string())
    // @ts-expect-error -- `other` is not declared.
    declared(z.strictObject({ ...all, other }))
    // @ts-expect-error -- `proxy.other` is not declared.
    declared(z.strictObject({ ...all, proxy: z.optional(z.extend(proxy, { other })) }))
    const moreTexts = z.extend(pages, { texts: z.optional(z.extend(texts, { other })) })
    // @ts-expect-error -- `pages.texts.other` is not declared.
    declared(z.strictObject({ ...all, pages: z.optional(moreTexts) }))
    expect(z.strictObject({ ...all, other }).parse({ other: 'x' })).toEqual({ other: 'x' })
  })

  it('does not compile with another type, nor where only one side may do without', () => {
    // @ts-expect-error -- `delivery` lacks a choice.
    declared(z.strictObject({ ...all, delivery: z.optional(z.enum(['loop'])) }))
    // @ts-expect-error -- `onChange` is given another value.
    declared(z.strictObject({ ...all, onChange: z.optional(z.custom<(change: string) => void>()) }))
    // @ts-expect-error -- `proxy` is a group.
    declared(z.strictObject({ ...all, proxy: z.optional(z.string()) }))
    // @ts-expect-error -- `name` is required.
    declared(z.strictObject({ ...all, name: z.string() }))
    // @ts-expect-error -- `proxy` is required.
    declared(z.strictObject({ ...all, proxy }))
    expect(() => z.strictObject({ ...all, proxy }).parse({})).toThrow('proxy')
  })
})
