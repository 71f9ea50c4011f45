import type { TranslationKey } from './translation.js'

/**
 * The key of the plural for the number. Payload's own choice ignores the language: it takes 22 for `many`, in
 * Polish `few`.
 */
export function pluralKey(
  key: TranslationKey,
  count: number,
  { language, texts }: { language: string; texts: object },
): string {
  const plural = `${key}_${new Intl.PluralRules(language).select(count)}`
  if (plural in texts) return plural
  return `${key}_other` in texts ? `${key}_other` : key
}

/** The name of a text, without the plural of its key. */
export const baseKey = (key: string): string => key.replace(/_(?:one|few|many|other)$/, '')

/** Our texts among those of a language, as Payload's `i18n` has them. */
export const ourTexts = (translations: object): object =>
  (translations as { storeconnect?: object }).storeconnect ?? {}
