import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { en } from '../../../../src/core/translations/en.js'
import { allTranslations } from '../../../../src/core/translations/translations.js'

const translations = await allTranslations()

const folder = join(import.meta.dirname, '../../../../src/core/translations/languages')
const files = readdirSync(folder).map((name) => name.replace('.ts', ''))
const others = Object.keys(translations).filter((language) => language !== 'en')

const namesIn = (text: string) =>
  [...text.matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name).sort()

/** A text with plurals, without `_one` and its like. */
const baseOf = (key: string) => key.replace(/_(?:one|few|many|other)$/, '')
const englishOf = (key: string) =>
  (en as Record<string, string>)[key] ?? (en as Record<string, string>)[`${baseOf(key)}_other`]

/** English texts that are right in other languages too: names, and what ShipStation calls its fields. */
const sameInAll = new Set([
  'alertByWebhook',
  'alertsWebhook',
  'customField1',
  'customField2',
  'customField3',
  'erasureKlaviyo',
  'smsConsent',
  'itemName',
  'notifyCustomerNo',
  'optionName',
  'overviewCancelledStatus',
  'overviewPaidStatus',
  'overviewShippedStatus',
  'overviewUrl',
  'requestedWarehouse',
  'sku',
  'sendErrorCode',
  'siteName',
  'source',
])
/** Words that a language shares with English. */
const sameIn: Record<string, string[]> = {
  de: [
    'consentStatus',
    'marketingSettings',
    'option',
    'personStatus',
    'service',
    'statusEventStatus',
  ],
  es: ['marketingSettings', 'personTotal'],
  fr: [
    'consentPage',
    'consentSource',
    'marketingSettings',
    'notes',
    'option',
    'options',
    'overviewPages_one',
    'overviewPages_other',
    'personTotal',
    'sendMessage',
    'service',
    'site',
    'sites',
  ],
  it: ['marketingSettings', 'password', 'personAccount'],
  ja: [],
  nl: [
    'consentStatus',
    'marketingSettings',
    'personAccount',
    'personStatus',
    'site',
    'sites',
    'statusEventStatus',
  ],
  pl: ['alert', 'marketingSettings', 'personStatus', 'statusEventStatus'],
  pt: ['marketingSettings', 'personStatus', 'personTotal', 'site', 'sites', 'statusEventStatus'],
  sv: ['consentStatus', 'personStatus'],
}

describe('The languages', () => {
  it('are ten, one file each', () => {
    expect(Object.keys(translations).sort()).toEqual(files.sort())
    expect(files).toEqual(['de', 'en', 'es', 'fr', 'it', 'ja', 'nl', 'pl', 'pt', 'sv'])
  })

  it.each(files)('are exported like those of Payload: %s', async (code) => {
    const module = (await import(join(folder, `${code}.ts`))) as Record<string, object>
    expect(module[code]).toEqual({
      dateFNSKey: code === 'en' ? 'en-US' : code,
      translations: { storeconnect: translations[code] },
    })
    expect(module[`${code}Translations`]).toEqual({ storeconnect: translations[code] })
  })
})

describe('The English texts', () => {
  const root = join(folder, '../../..')
  const sources = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.tsx?$/.test(path) && !/translations\/(en|languages\/.*)\.ts$/.test(path))
    .map((path) => readFileSync(join(root, path), 'utf8'))
    .join('\n')
  const words = new Set(sources.match(/\w+/g))
  // `page-texts.ts` makes these keys.
  const made = /^restoreLog(?:In|Out)(?:Heading|Explanation|Button)$/

  it('are all used', () => {
    const unused = Object.keys(en).filter((key) => !words.has(baseOf(key)) && !made.test(key))
    expect(unused).toEqual([])
  })
})

describe.each(others)('The texts in %s', (language) => {
  const texts = { ...translations[language] } as Record<string, string>

  it('are in the order of the English ones, and lack none of them', () => {
    const keys = Object.keys(texts)
    expect(keys.filter((key) => key in en)).toEqual(Object.keys(en))
    expect(keys.filter((key) => englishOf(key) === undefined)).toEqual([])
    // A plural that English lacks is beside the others of its text.
    const names = keys.map(baseOf).filter((name, place, all) => name !== all[place - 1])
    expect(names).toEqual([...new Set(Object.keys(en).map(baseOf))])
  })

  it('lose no placeholder and invent none', () => {
    const wrong = Object.entries(texts).filter(
      ([key, text]) => namesIn(text).join() !== namesIn(englishOf(key) ?? '').join(),
    )
    expect(wrong).toEqual([])
  })

  it('are translated, and neither blank nor padded', () => {
    const allowed = new Set([...sameInAll, ...(sameIn[language] ?? [])])
    const wrong = Object.entries(texts).filter(
      ([key, text]) =>
        (text === englishOf(key) && !allowed.has(key)) || text === '' || text !== text.trim(),
    )
    expect(wrong).toEqual([])
  })

  it('have every plural that whole numbers have in the language', () => {
    const rules = new Intl.PluralRules(language)
    const plurals = new Set(Array.from({ length: 1000 }, (_, count) => rules.select(count)))
    const counted = Object.keys(en)
      .filter((key) => key.endsWith('_other'))
      .map(baseOf)
    expect(counted.length).toBeGreaterThan(5)
    const missing = counted.flatMap((name) =>
      [...plurals, 'one', 'other'].flatMap((plural) =>
        `${name}_${plural}` in texts ? [] : [`${name}_${plural}`],
      ),
    )
    expect(missing).toEqual([])
  })
})
