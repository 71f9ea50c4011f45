import type { ServerProps } from 'payload'

interface FieldProps<ClientField> {
  clientField: ClientField
  field: { label?: unknown }
  i18n: ServerProps['i18n']
}

/**
 * The field with its label in the reader's language. Payload makes `clientField` once a process, in the
 * language of its first reader.
 */
export const fieldForReader = <ClientField>({
  clientField,
  field: { label },
  i18n,
}: FieldProps<ClientField>): ClientField =>
  typeof label === 'function' ? { ...clientField, label: labelText(label, i18n) } : clientField

/** The text of a label. Payload's config has a text, a text for each language, or a function. */
export function labelText(label: unknown, i18n: ServerProps['i18n']): string {
  if (typeof label === 'function') {
    return String((label as (about: object) => unknown)({ i18n, t: i18n.t }))
  }
  if (typeof label !== 'object' || label === null) return String(label)
  const texts = label as Record<string, string>
  return texts[i18n.language] ?? texts[i18n.fallbackLanguage] ?? Object.values(texts)[0] ?? ''
}
