import type { en } from '../translations/en.js'

/** The name of a text. A text with a plural has one name, without `_one` and `_other`. */
export type TranslationKey = Shared<keyof typeof en>

type Shared<Key> = Key extends `${infer Name}_one` | `${infer Name}_other` ? Name : Key

/** The group of the admin's navigation that lists our collections and settings. */
export const adminGroup = 'Storeconnect'

// Payload types `t` with its own keys only, so a plugin's keys need this type.
type Variables = Record<string, string>
type Translate = (key: never, variables?: Variables) => string

/** A label or description in the admin's language. */
export const label =
  (key: TranslationKey, variables?: Variables) =>
  ({ t }: { t: Translate }): string =>
    t(`storeconnect:${key}` as never, variables)

export const labels = (singular: TranslationKey, plural: TranslationKey) => ({
  singular: label(singular),
  plural: label(plural),
})
