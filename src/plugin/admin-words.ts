import type { Config } from 'payload'
import { deepMergeSimple } from 'payload/shared'
import type { Products } from '../core/shop.js'
import { adminWords, en, productWords } from '../core/translations/en.js'
import { baseKey } from '../core/translations/plural-key.js'
import { translationIn } from '../core/translations/translations.js'
import type { TranslationKey } from '../core/payload/label.js'

type I18n = NonNullable<Config['i18n']>

type Words = Partial<Record<TranslationKey, string>>

/**
 * Adds our texts to each language of the admin, without those of a product that is off; the store's win. Each
 * begins with English, as Payload shows a missing text's key.
 */
export async function withAdminWords(i18n: Config['i18n'], products: Products): Promise<I18n> {
  const off = keysOfProductsOff(products)
  const needed = (words: object) => ({
    storeconnect: Object.fromEntries(
      Object.entries(words).filter(([key]) => !off.has(baseKey(key))),
    ),
  })
  const languages = Object.keys(i18n?.supportedLanguages ?? {})
  const words = languages.map(async (language) => [
    language,
    needed({ ...adminWords, ...(await translationIn(language)) }),
  ])
  const ours = Object.fromEntries([
    ...(await Promise.all(words)),
    ['en', needed(en)],
  ]) as NonNullable<I18n['translations']>
  return { ...i18n, translations: deepMergeSimple(ours, i18n?.translations ?? {}) }
}

const keysOfProductsOff = (products: Products): ReadonlySet<string> =>
  new Set(
    (['shipping', 'marketing'] as const)
      .filter((product) => !products[product])
      .flatMap((product) => Object.keys(productWords[product]).map(baseKey)),
  )

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
