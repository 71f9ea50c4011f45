import type { TranslationKey } from '../translations/translation.js'

export type { TranslationKey }

/** The group of the admin's navigation that lists our collections and settings. */
export const adminGroup = 'Storeconnect'

/** The group that lists what Storeconnect has noted. Payload takes no function here. */
export const recordGroup = {
  en: 'Storeconnect: records',
  de: 'Storeconnect: Aufzeichnungen',
  es: 'Storeconnect: registros',
  fr: 'Storeconnect : historique',
  it: 'Storeconnect: registrazioni',
  ja: 'Storeconnect: 記録',
  nl: 'Storeconnect: registraties',
  pl: 'Storeconnect: zapisy',
  pt: 'Storeconnect: registos',
  sv: 'Storeconnect: poster',
}

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
