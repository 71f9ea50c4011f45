import type { TranslationKey } from '../store/payload/label.js'

/** Says something in the admin's language, by our own keys. */
export type Translate = (key: TranslationKey, variables?: Record<string, string>) => string

// Payload types its function by its own keys alone, so a plugin's keys go past that type.
type PayloadTranslate = (key: never, variables?: Record<string, string>) => string

export const translateBy =
  (t: PayloadTranslate): Translate =>
  (key, variables) =>
    t(`storeconnect:${key}` as never, variables)
