import type { Field, FlattenedField, FlattenedBlock } from 'payload'

/** A field with a name, so that the data has a value for it. */
export type NamedField = Extract<Field, { name: string }>

/** A named field, or a named tab, which is no field of its own. */
interface NamedPart {
  name: string
  field?: NamedField
  fields: readonly Field[]
  isLocalized: boolean
}

/** Types of fields that hold what a person has written. A choice from a list names nobody. */
export const writtenFieldTypes = new Set<string>([
  'text',
  'textarea',
  'email',
  'code',
  'json',
  'richText',
  'point',
  'date',
  'number',
])

/** What has a name at the top level. Rows, collapsibles, unnamed groups and unnamed tabs have none. */
export const namedParts = (fields: readonly Field[]): NamedPart[] =>
  fields.flatMap((field) => {
    if (isNamed(field)) {
      const isLocalized = 'localized' in field && field.localized === true
      const own = 'fields' in field ? field.fields : []
      return [{ name: field.name, field, fields: own, isLocalized }]
    }
    if ('tabs' in field) {
      return field.tabs.flatMap((tab) =>
        'name' in tab && tab.name
          ? [{ name: tab.name, fields: tab.fields, isLocalized: tab.localized === true }]
          : namedParts(tab.fields),
      )
    }
    return 'fields' in field ? namedParts(field.fields) : []
  })

/** Finds the field at a path such as `details.reference`, wherever the admin shows it. */
export function findField(fields: readonly Field[], path: string): NamedField | undefined {
  const [first, ...rest] = path.split('.')
  const found = namedParts(fields).find(({ name }) => name === first)
  return rest.length === 0 ? found?.field : findField(found?.fields ?? [], rest.join('.'))
}

/** All fields outside of arrays and blocks, each with its path for `findField`. */
export const fieldPaths = (
  fields: readonly Field[],
  above = '',
): { path: string; field: NamedField }[] =>
  namedParts(fields).flatMap(({ name, field, fields: inner }) => {
    const path = `${above}${name}`
    const within = !field || field.type === 'group' ? fieldPaths(inner, `${path}.`) : []
    return field ? [{ path, field }, ...within] : within
  })

/** The table and column of the field at a path; a blank key means the whole table. */
export function columnPlace(
  fields: readonly FlattenedField[],
  path: string,
): { below: string[]; key: string; isBlock: boolean } | undefined {
  const place = { below: [] as string[], key: '', isBlock: false }
  let within = fields
  const names = path.split('.')
  for (let name = names.shift(); name !== undefined; name = names.shift()) {
    const field = within.find((each) => each.name === name)
    if (field === undefined) return undefined
    if (field.type === 'blocks') {
      const block = ownBlock(field, names.shift())
      if (block === undefined) return undefined
      Object.assign(place, { below: ['blocks', blockInTables(block)], key: '', isBlock: true })
      within = block.flattenedFields
    } else if (field.type === 'array') {
      const groups = place.key === '' ? [] : place.key.split('_')
      Object.assign(place, { below: [...place.below, ...groups, name], key: '' })
      within = field.flattenedFields
    } else {
      place.key = place.key === '' ? name : `${place.key}_${name}`
      within = 'flattenedFields' in field ? field.flattenedFields : []
    }
  }
  return place
}

/** A copy of the fields in which the one at the path is replaced. */
export function replaceField(
  fields: readonly Field[],
  path: string,
  replace: (field: NamedField) => Field,
): Field[] {
  const [first = '', ...rest] = path.split('.')
  return fields.map((field): Field => {
    if (isNamed(field)) {
      if (field.name !== first) return field
      if (rest.length === 0) return replace(field)
      if (!('fields' in field)) return field
      return { ...field, fields: replaceField(field.fields, rest.join('.'), replace) }
    }
    if ('tabs' in field) {
      const tabs = field.tabs.map((tab) => {
        const isNamedTab = 'name' in tab && tab.name !== undefined
        if (isNamedTab && tab.name !== first) return tab
        const within = isNamedTab ? rest.join('.') : path
        return { ...tab, fields: replaceField(tab.fields, within, replace) }
      })
      return { ...field, tabs }
    }
    return 'fields' in field
      ? { ...field, fields: replaceField(field.fields, path, replace) }
      : field
  })
}

/** Appends our fields that are missing. A path, such as `details.reference`, always names a field of the store. */
export function addFields(existing: readonly Field[], ours: readonly Field[]): Field[] {
  return [...existing, ...missing(existing, ours)]
}

/** Adds our field, if it is missing, after the field with this name; at the end when there is none. */
export function addFieldAfter(
  existing: readonly Field[],
  name: string,
  field: NamedField,
): Field[] {
  const [added] = missing(existing, [field])
  if (added === undefined) return [...existing]
  const at = existing.findIndex((each) => isNamed(each) && each.name === name) + 1
  return at === 0 ? [...existing, added] : existing.toSpliced(at, 0, added)
}

function missing(existing: readonly Field[], ours: readonly Field[]): Field[] {
  return ours.flatMap((field): Field[] => {
    if ('name' in field && field.name !== undefined) {
      return field.name.includes('.') || findField(existing, field.name) ? [] : [field]
    }
    if (!('fields' in field)) return [field]
    const left = missing(existing, field.fields)
    return left.length === 0 ? [] : [{ ...field, fields: left }]
  })
}

const isNamed = (field: Field): field is NamedField =>
  'name' in field && typeof field.name === 'string' && field.name !== ''

interface BlocksField<Block> {
  blocks: readonly (Block | string)[]
}

/** The blocks that a field has itself. In Payload 4 a text stands for a block of the whole config. */
export const ownBlocks = <Block extends object>({ blocks }: BlocksField<Block>): Block[] =>
  blocks.filter((block): block is Block => typeof block !== 'string')

export const ownBlock = <Block extends { slug: string }>(
  field: BlocksField<Block>,
  slug: string | undefined,
): Block | undefined => ownBlocks(field).find((block) => block.slug === slug)

/**
 * Blocks of one slug whose columns differ have numbered tables; the adapter keeps the number under a symbol of
 * the block.
 */
export function blockInTables(block: FlattenedBlock): string {
  const symbol = Object.getOwnPropertySymbols(block).find(
    ({ description }) => description === 'InternalBlockTableNameIndex',
  )
  const number: unknown = symbol && Reflect.get(block, symbol)
  return number === undefined ? block.slug : `${block.slug}_${String(number)}`
}
