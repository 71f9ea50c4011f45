import type { en } from '../../translations/en.js'

/** A text with a plural goes by the name that its two forms share. */
export type TranslationKey = Shared<keyof typeof en>

type Shared<Key> = Key extends `${infer Name}_one` | `${infer Name}_other` ? Name : Key

/** Where Storeconnect's collections and settings stand in the admin's navigation. */
export const adminGroup = 'Storeconnect'

// Payload types `t` by its own keys alone, so a plugin's keys go past that type.
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
