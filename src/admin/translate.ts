import type { TranslationKey } from '../store/payload/label.js'

type Variables = Record<string, string | number>

/** Says something in the admin's language, by our own keys. A number `count` picks the plural. */
export type Translate = (key: TranslationKey, variables?: Variables) => string

// Payload types its function by its own keys alone, so a plugin's keys go past that type.
type PayloadTranslate = (key: never, variables?: Variables) => string

export const translateBy =
  (t: PayloadTranslate): Translate =>
  (key, variables) =>
    t(`storeconnect:${key}` as never, variables)

/** Says a text with a `{{number}}` in it, in the singular or the plural. */
export const countedBy =
  (translate: Translate, language: string) =>
  (key: TranslationKey, count: number): string =>
    translate(key, { count, number: new Intl.NumberFormat(language).format(count) })
