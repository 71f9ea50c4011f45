import { en } from './en.js'
import { deTranslations } from './languages/de.js'
import { esTranslations } from './languages/es.js'
import { frTranslations } from './languages/fr.js'
import { itTranslations } from './languages/it.js'
import { jaTranslations } from './languages/ja.js'
import { nlTranslations } from './languages/nl.js'
import { plTranslations } from './languages/pl.js'
import { ptTranslations } from './languages/pt.js'
import { svTranslations } from './languages/sv.js'
import type { Translation } from './translation.js'

/** Our texts in each language that we have, by the code that Payload uses for it. */
export const translations: Readonly<Record<string, Translation>> = {
  de: deTranslations.storeconnect,
  en,
  es: esTranslations.storeconnect,
  fr: frTranslations.storeconnect,
  it: itTranslations.storeconnect,
  ja: jaTranslations.storeconnect,
  nl: nlTranslations.storeconnect,
  pl: plTranslations.storeconnect,
  pt: ptTranslations.storeconnect,
  sv: svTranslations.storeconnect,
}
