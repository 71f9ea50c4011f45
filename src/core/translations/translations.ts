import { en } from './en.js'
import type { Translation } from './translation.js'

/** A process needs few of them, and a host with functions starts many processes. */
const loaders: Readonly<Record<string, () => Promise<Translation>>> = {
  de: async () => (await import('./languages/de.js')).deTranslations.storeconnect,
  en: () => Promise.resolve(en),
  es: async () => (await import('./languages/es.js')).esTranslations.storeconnect,
  fr: async () => (await import('./languages/fr.js')).frTranslations.storeconnect,
  it: async () => (await import('./languages/it.js')).itTranslations.storeconnect,
  ja: async () => (await import('./languages/ja.js')).jaTranslations.storeconnect,
  nl: async () => (await import('./languages/nl.js')).nlTranslations.storeconnect,
  pl: async () => (await import('./languages/pl.js')).plTranslations.storeconnect,
  pt: async () => (await import('./languages/pt.js')).ptTranslations.storeconnect,
  sv: async () => (await import('./languages/sv.js')).svTranslations.storeconnect,
}

/** Our texts in a language, by the code that Payload uses for it; undefined when we have none. */
export const translationIn = async (language: string): Promise<Translation | undefined> =>
  Object.hasOwn(loaders, language) ? loaders[language]?.() : undefined

/** Our texts in each language that we have. */
export async function allTranslations(): Promise<Readonly<Record<string, Translation>>> {
  const loaded = Object.entries(loaders).map(async ([language, load]) => [language, await load()])
  return Object.fromEntries(await Promise.all(loaded)) as Record<string, Translation>
}
