import type { Config } from 'payload'
import { deepMergeSimple } from 'payload/shared'
import { adminWords, en } from '../../translations/en.js'
import type { TranslationKey } from './label.js'

type I18n = NonNullable<Config['i18n']>

type Words = Partial<Record<TranslationKey, string>>

/**
 * Our words in each language of the admin, below what the store says itself. Payload shows the bare
 * key of what a language lacks, so each of them has the English words to begin with; those of the
 * pages are left to `page-texts.ts`, which says what language a page is in.
 */
export function withAdminWords(i18n: Config['i18n']): I18n {
  const languages = Object.keys(i18n?.supportedLanguages ?? {})
  const ours = Object.fromEntries([
    ...languages.map((language) => [language, { storeconnect: adminWords }]),
    ['en', { storeconnect: en }],
  ]) as NonNullable<I18n['translations']>
  return { ...i18n, translations: deepMergeSimple(ours, i18n?.translations ?? {}) }
}

/**
 * A word in each language, for the description of a global: Payload would hand a function on to the
 * browser as it is.
 */
export const inEachLanguage =
  ({ translations }: I18n) =>
  (key: TranslationKey): Record<string, string> =>
    Object.fromEntries(
      Object.entries(translations as Record<string, { storeconnect?: Words }>).flatMap(
        ([language, { storeconnect }]) => {
          const text = storeconnect?.[key]
          return text === undefined ? [] : [[language, text]]
        },
      ),
    )
