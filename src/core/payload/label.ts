import type { TranslationKey } from '../translations/translation.js'

export type { TranslationKey }

/**
 * The group of the admin's navigation: the overview, then the settings. Payload puts the collections of a group
 * before its globals, so ours have no place in it; the overview leads to them.
 */
export const adminGroup = 'Storeconnect'

// Payload types `t` with its own keys only, so a plugin's keys need this type.
type Variables = Record<string, string>
type Translate = (key: never, variables?: Variables) => string

/** Writes our texts in the language of a reader. */
export type Translator = (key: TranslationKey, variables?: Variables) => string

/** Writes our texts in the language of a request's user. */
export const translatorOf =
  ({ t }: { t: Translate }): Translator =>
  (key, variables) =>
    t(`storeconnect:${key}` as never, variables)

/** A label or description in the admin's language. */
export const label =
  (key: TranslationKey, variables?: Variables) =>
  (req: { t: Translate }): string =>
    translatorOf(req)(key, variables)

/** The text of a label in a config: a text, a text for each language, or a function. */
export function labelText(
  given: unknown,
  i18n: { t: unknown; language: string; fallbackLanguage: string },
): string {
  if (typeof given === 'function') {
    return String((given as (about: object) => unknown)({ i18n, t: i18n.t }))
  }
  if (typeof given !== 'object' || given === null) return String(given ?? '')
  const texts = given as Record<string, string>
  return texts[i18n.language] ?? texts[i18n.fallbackLanguage] ?? Object.values(texts)[0] ?? ''
}

export const labels = (singular: TranslationKey, plural: TranslationKey) => ({
  singular: label(singular),
  plural: label(plural),
})
