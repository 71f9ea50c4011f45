import type { Config } from 'payload'
import { deepMergeSimple } from 'payload/shared'
import { adminWords, en } from '../core/translations/en.js'
import { translationIn } from '../core/translations/translations.js'
import type { TranslationKey } from '../core/payload/label.js'

type I18n = NonNullable<Config['i18n']>

type Words = Partial<Record<TranslationKey, string>>

/**
 * Adds our texts to each language of the admin; the store's win. Each begins with English, as Payload shows a
 * missing text's key.
 */
export async function withAdminWords(i18n: Config['i18n']): Promise<I18n> {
  const languages = Object.keys(i18n?.supportedLanguages ?? {})
  const words = languages.map(async (language) => [
    language,
    { storeconnect: await wordsIn(language) },
  ])
  const ours = Object.fromEntries([
    ...(await Promise.all(words)),
    ['en', { storeconnect: en }],
  ]) as NonNullable<I18n['translations']>
  return { ...i18n, translations: deepMergeSimple(ours, i18n?.translations ?? {}) }
}

const wordsIn = async (language: string): Promise<Words> => ({
  ...adminWords,
  ...(await translationIn(language)),
})

/** A text in each language, for a global: Payload would pass a function to the browser. */
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
