import type { Field } from 'payload'
import { valueAt } from '../store/payload/document-value.js'
import { findField } from '../store/payload/field-search.js'

/** What people call a status in English: its option's label there, else its handle in words. */
export function statusLabels(
  orderFields: readonly Field[],
  statusField: string,
): (status: string) => string {
  const field = findField(orderFields, statusField)
  const options = field?.type === 'select' || field?.type === 'radio' ? field.options : []
  const labels = new Map(
    options.flatMap((option) => {
      if (typeof option === 'string') return []
      const label = englishOf(option.label)
      return label === undefined ? [] : [[option.value, label] as const]
    }),
  )
  return (status) => labels.get(status) ?? inWords(status)
}

/** A label that is made for the admin's language says nothing of English. */
function englishOf(label: unknown): string | undefined {
  const english = typeof label === 'string' ? label : valueAt(label, 'en')
  return typeof english === 'string' ? english : undefined
}

/** `on-hold` is `On Hold`. */
const inWords = (handle: string): string =>
  handle
    .split(/[-_\s]+/)
    .filter((word) => word !== '')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(' ')
