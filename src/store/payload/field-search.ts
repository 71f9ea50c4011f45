import type { Field } from 'payload'

/** A field that has a name, and with it a place in the data. */
export type NamedField = Extract<Field, { name: string }>

/**
 * The field at a path such as `details.reference`, wherever rows, collapsibles, unnamed groups and
 * tabs put it in the admin.
 */
export function findField(fields: readonly Field[], path: string): NamedField | undefined {
  const [first = '', ...rest] = path.split('.')
  for (const field of fields) {
    if (isNamed(field)) {
      if (field.name !== first) continue
      if (rest.length === 0) return field
      return 'fields' in field ? findField(field.fields, rest.join('.')) : undefined
    }
    const found = searchWithin(field, path)
    if (found) return found
  }
  return undefined
}

function searchWithin(field: Field, path: string): NamedField | undefined {
  const [first = '', ...rest] = path.split('.')
  if ('tabs' in field) {
    for (const tab of field.tabs) {
      const isNamedTab = 'name' in tab && tab.name !== undefined
      if (isNamedTab && tab.name !== first) continue
      const found = findField(tab.fields, isNamedTab ? rest.join('.') : path)
      if (found) return found
    }
  }
  return 'fields' in field ? findField(field.fields, path) : undefined
}

/** The fields outside of arrays and blocks, each with the path that `findField` finds it by. */
export function fieldPaths(
  fields: readonly Field[],
  above = '',
): { path: string; field: NamedField }[] {
  return fields.flatMap((field) => {
    if (isNamed(field)) {
      const path = `${above}${field.name}`
      const within = field.type === 'group' ? fieldPaths(field.fields, `${path}.`) : []
      return [{ path, field }, ...within]
    }
    if ('tabs' in field) {
      return field.tabs.flatMap((tab) =>
        fieldPaths(tab.fields, 'name' in tab && tab.name ? `${above}${tab.name}.` : above),
      )
    }
    return 'fields' in field ? fieldPaths(field.fields, above) : []
  })
}

/**
 * A copy of the fields in which the one at the path is replaced. Nothing of the owner's is changed.
 */
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

const isNamed = (field: Field): field is NamedField =>
  'name' in field && typeof field.name === 'string' && field.name !== ''
