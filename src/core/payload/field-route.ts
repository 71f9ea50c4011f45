import type { Field } from 'payload'
import { findField, namedParts, type NamedField } from './field-search.js'
import type { DocumentId } from '../database/document-id.js'
import { idOf, setAt, valueAt } from './document-value.js'

/** The fields of a collection; undefined when there is none of this slug. */
export type FieldsOf = (slug: string) => readonly Field[] | undefined

/** From a document or row into a row of its list, or on to a document that it relates to. */
export type RouteStep =
  | { path: string; row: number }
  | {
      path: string
      to: string
      /** Which of several documents; undefined for a field that holds one. */
      place: number | undefined
    }

/** How a name, such as `coupons.0.code`, leads from a document to a value. */
export interface FieldRoute {
  steps: readonly RouteStep[]
  /** The path of the field in the last row or document. */
  path: string
  /** Undefined for a named tab. */
  field: NamedField | undefined
  /** What is in the field, when it is a group, a named tab or a list. */
  fields: readonly Field[]
  /** Which of the several values of the field, where the name says so. */
  place: number | undefined
  /** Whether the field, or a group or list around it, has a value for each language. */
  isLocalized: boolean
}

/** The way that a name leads, or why it leads nowhere: the end of a sentence that begins with the name. */
export function fieldRoute(
  fields: readonly Field[],
  name: string,
  fieldsOf: FieldsOf,
): FieldRoute | { problem: string } {
  const names = name.split('.')
  const steps: RouteStep[] = []
  let within = fields
  let path = ''
  let isLocalized = false
  for (;;) {
    const first = names.shift() ?? ''
    const part = namedParts(within).find((each) => each.name === first)
    if (part === undefined) return { problem: 'which does not exist' }
    const { field } = part
    path = path === '' ? first : `${path}.${first}`
    isLocalized ||= part.isLocalized
    const place = mayHoldSeveral(field) && isIndex(names[0]) ? Number(names.shift()) : undefined
    if (names.length === 0) {
      return { steps, path, field, fields: part.fields, place, isLocalized }
    }
    if (field === undefined || field.type === 'group') {
      within = part.fields
      continue
    }
    const rest = names.join('.')
    const step = stepInto(field, { path, place, rest, known: name.slice(0, -rest.length - 1) })
    if ('problem' in step) return step
    steps.push(step)
    within = 'to' in step ? (fieldsOf(step.to) ?? []) : part.fields
    path = ''
  }
}

function stepInto(
  field: NamedField,
  names: { path: string; place: number | undefined; known: string; rest: string },
): RouteStep | { problem: string } {
  const { path, place, known, rest } = names
  const which = { problem: `but "${known}" holds several: say which, as in "${known}.0.${rest}"` }
  if (field.type === 'array') return place === undefined ? which : { path, row: place }
  if (field.type !== 'relationship' && field.type !== 'upload') {
    return { problem: `but nothing is inside "${known}", a field of type ${field.type}` }
  }
  const { relationTo: to } = field
  if (typeof to !== 'string') {
    return { problem: `but "${known}" relates to documents of several collections` }
  }
  return field.hasMany === true && place === undefined ? which : { path, to, place }
}

const mayHoldSeveral = (field: NamedField | undefined): boolean =>
  field?.type === 'array' || hasSeveral(field)

/** Whether a field has several values, as a select or a relationship can. */
export const hasSeveral = (field: NamedField | undefined): boolean =>
  field !== undefined && 'hasMany' in field && field.hasMany === true

export const isIndex = (name: string | undefined): boolean =>
  name !== undefined && /^\d+$/.test(name)

/** The same name without the rows that it chooses: `coupons.0.code` is a `coupons.code`. */
export const withoutRows = (name: string): string =>
  name
    .split('.')
    .filter((part) => !isIndex(part))
    .join('.')

/** The part of a name that the document has itself: up to the first list or related document. */
export function ownPath(fields: readonly Field[], name: string): string {
  const names = name.split('.')
  const paths = names.map((_, index) => names.slice(0, index + 1).join('.'))
  const isEnd = (field: NamedField | undefined) => field !== undefined && field.type !== 'group'
  return paths.find((path) => isEnd(findField(fields, path))) ?? name
}

/** The first relation that a name leads through or to, and the rest of the name. */
export function relationOn(
  fields: readonly Field[],
  name: string,
): { at: string; to: string; rest: string } | undefined {
  const names = name.split('.')
  for (const index of names.keys()) {
    const field = findField(fields, withoutRows(names.slice(0, index + 1).join('.')))
    if (field?.type !== 'relationship' && field?.type !== 'upload') continue
    if (typeof field.relationTo !== 'string') return undefined
    const end = isIndex(names[index + 1]) ? index + 2 : index + 1
    const [at, rest] = [names.slice(0, end), names.slice(end)].map((part) => part.join('.'))
    return { at: at ?? name, to: field.relationTo, rest: rest ?? '' }
  }
  return undefined
}

type Document = Record<string, unknown> & { id: DocumentId }

interface Related {
  /** The names of the values that are wanted, which lead through related documents or to them. */
  names: readonly string[]
  fieldsOf: FieldsOf
  /** Reads documents of a collection without what they relate to. */
  read: (slug: string, ids: readonly DocumentId[]) => Promise<readonly Document[]>
}

/** Payload itself would stop at a `maxDepth`, and leave out what a collection's `defaultPopulate` leaves out. */
export async function addRelated(
  documents: readonly Document[],
  fields: readonly Field[],
  { names, fieldsOf, read }: Related,
): Promise<void> {
  const relations = new Map<string, { to: string; rests: string[] }>()
  for (const name of names) {
    const relation = relationOn(fields, name)
    if (relation === undefined) continue
    const { at, to, rest } = relation
    const known = relations.get(at) ?? { to, rests: [] }
    relations.set(at, { to, rests: rest === '' ? known.rests : [...known.rests, rest] })
  }
  await Promise.all(
    [...relations].map(async ([at, { to, rests }]) => {
      const ids = documents.flatMap((document) =>
        [valueAt(document, at)].flat().flatMap((value) => idOf(value) ?? []),
      )
      if (ids.length === 0) return
      const related = await read(to, [...new Set(ids)])
      await addRelated(related, fieldsOf(to) ?? [], { names: rests, fieldsOf, read })
      const byId = new Map<unknown, Document>(related.map((document) => [document.id, document]))
      const found = (value: unknown): unknown => byId.get(idOf(value)) ?? value
      for (const document of documents) {
        const value = valueAt(document, at)
        if (value !== undefined)
          setAt(document, at, Array.isArray(value) ? value.map(found) : found(value))
      }
    }),
  )
}
