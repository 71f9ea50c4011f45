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

export const labels = (singular: TranslationKey, plural: TranslationKey) => ({
  singular: label(singular),
  plural: label(plural),
})
