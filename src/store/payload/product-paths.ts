import type { BasePayload } from 'payload'
import type { ProductFieldNames } from '../../options/options.js'
import type { MissingProductField } from '../overview.js'
import { findField, type NamedField } from './field-search.js'

/**
 * The field at a path such as `gallery.0.image` of a collection, through groups, arrays and the
 * documents that it relates to.
 */
export function fieldAt(payload: BasePayload, slug: string, path: string): NamedField | undefined {
  const fields = payload.collections[slug]?.config.fields ?? []
  const names = path.split('.').filter((name) => !/^\d+$/.test(name))
  for (const [index] of names.entries()) {
    const field = findField(fields, names.slice(0, index + 1).join('.'))
    if (index === names.length - 1) return field
    if (field?.type !== 'relationship' && field?.type !== 'upload') continue
    const rest = names.slice(index + 1).join('.')
    const related = [field.relationTo].flat().map((to) => fieldAt(payload, to, rest))
    return related.find((found) => found !== undefined)
  }
  return undefined
}

/** What an exported line takes over from its product, by the label of the line's own field. */
const exported = { itemName: 'name', sku: 'sku', weight: 'weight', imageUrl: 'image' } as const

/** What exported lines lack, as neither products nor variants have the field that the options name. */
export function missingProductFields(
  payload: BasePayload,
  { names, slugs }: { names: Readonly<ProductFieldNames>; slugs: readonly string[] },
): MissingProductField[] {
  return Object.entries(exported)
    .map(([part, name]) => ({ part: part as keyof typeof exported, path: names[name] }))
    .filter(({ path }) => !slugs.some((slug) => fieldAt(payload, slug, path) !== undefined))
}
