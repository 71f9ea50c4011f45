import type { en } from '../../translations/en.js'

export type TranslationKey = keyof typeof en

/** Where Storeconnect's collections and settings stand in the admin's navigation. */
export const adminGroup = 'Storeconnect'

// Payload types `t` by its own keys alone, so a plugin's keys go past that type.
type Translate = (key: never) => string

/** A label or description in the admin's language. */
export const label =
  (key: TranslationKey) =>
  ({ t }: { t: Translate }): string =>
    t(`storeconnect:${key}` as never)

export const labels = (singular: TranslationKey, plural: TranslationKey) => ({
  singular: label(singular),
  plural: label(plural),
})
