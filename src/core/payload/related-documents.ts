import type { Field } from 'payload'
import type { DocumentId } from '../database/document-id.js'
import { idOf, setAt, valueAt } from './document-value.js'
import { relationOn, type FieldsOf } from './field-route.js'

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
