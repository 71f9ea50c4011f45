import type { BasePayload, FlattenedField } from 'payload'
import {
  differs,
  hasRows,
  isData,
  isGroup,
  isLocalized,
  type Document,
  type Group,
} from './stored-difference.js'

/** The fields that a save changes, by the table that stores them. */
export interface Changes {
  row: Document
  /** Fields in other tables: arrays, blocks, and fields with several values or languages. */
  otherTables: { data: Document; fields: FlattenedField[]; paths: string[] }
}

/** What a save has, and what it has read, of a document or of a group in it. */
interface Saved {
  data: Document
  read: Document
}

type Differs = (field: FlattenedField, saved: Saved) => boolean

/** The fields that differ from the document that the save has read; every field when that is unknown. */
export function changesOf(
  payload: BasePayload,
  fields: readonly FlattenedField[],
  { data, read }: { data: Document; read: Document | undefined },
): Changes {
  const saved = { data, read: read ?? {} }
  const isChanged: Differs = (field, within) =>
    read === undefined ||
    differs(payload, field, [within.data[field.name], within.read[field.name]])
  const isWritten: Differs = changesTranslation(fields, saved, isChanged)
    ? (field, within) => isTranslation(field) || isChanged(field, within)
    : isChanged
  return collect(fields, saved, isWritten)
}

/**
 * All translations of a document in one language are one row, which the adapter deletes before it writes
 * one of them, so they are written together.
 */
const changesTranslation = (
  fields: readonly FlattenedField[],
  saved: Saved,
  isChanged: Differs,
): boolean =>
  fields.some((field) =>
    isPlainGroup(field)
      ? changesTranslation(field.flattenedFields, savedWithin(saved, field), isChanged)
      : isTranslation(field) && isChanged(field, saved),
  )

function collect(fields: readonly FlattenedField[], saved: Saved, isWritten: Differs): Changes {
  const row: Document = {}
  const otherTables: Changes['otherTables'] = { data: {}, fields: [], paths: [] }
  for (const field of fields) {
    const { name } = field
    const value = saved.data[name]
    if (value === undefined || field.type === 'join') continue
    if (isPlainGroup(field) && isData(value)) {
      const inner = collect(field.flattenedFields, savedWithin(saved, field), isWritten)
      if (Object.keys(inner.row).length > 0) row[name] = inner.row
      if (inner.otherTables.fields.length > 0) {
        otherTables.data[name] = inner.otherTables.data
        otherTables.fields.push({ ...field, flattenedFields: inner.otherTables.fields })
        otherTables.paths.push(...inner.otherTables.paths.map((path) => `${name}.${path}`))
      }
    } else if (!isWritten(field, saved)) {
      continue
    } else if (hasRows(field) || isLocalized(field)) {
      otherTables.data[name] = value
      otherTables.fields.push(field)
      otherTables.paths.push(name)
    } else {
      row[name] = value
    }
  }
  return { row, otherTables }
}

function savedWithin({ data, read }: Saved, { name }: FlattenedField): Saved {
  const within = (document: Document) => (isData(document[name]) ? document[name] : {})
  return { data: within(data), read: within(read) }
}

const isPlainGroup = (field: FlattenedField): field is Group =>
  isGroup(field) && !isLocalized(field)

const isTranslation = (field: FlattenedField) => isLocalized(field) && !hasRows(field)
