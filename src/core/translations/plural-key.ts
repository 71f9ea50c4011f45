import type { TranslationKey } from './translation.js'

/**
 * The key of a text: of one with plurals, that of the plural that the language has for the number. Payload's
 * own choice, by the variable `count`, takes no account of the language: it takes 22 for `many`, which is
 * `few` in Polish.
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

/** Our texts among those of a language, as Payload's `i18n` has them. */
export const ourTexts = (translations: object): object =>
  (translations as { storeconnect?: object }).storeconnect ?? {}
