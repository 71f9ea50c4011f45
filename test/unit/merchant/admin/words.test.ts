import { describe, expect, it } from 'vitest'
import {
  createWords,
  dayText,
  momentText,
  numberText,
  timeAgo,
} from '../../../../src/merchant/admin/words.js'
import { allTranslations } from '../../../../src/core/translations/translations.js'

const translations = await allTranslations()

const now = new Date('2026-11-21T12:00:00.000Z')
const before = (seconds: number) => new Date(now.getTime() - seconds * 1000)

describe('How long ago something was', () => {
  it.each([
    [0, 'now'],
    [59, 'now'],
    [60, '1 minute ago'],
    [3_599, '59 minutes ago'],
    [3_600, '1 hour ago'],
    [86_399, '23 hours ago'],
    [86_400, 'yesterday'],
    [200_000, '2 days ago'],
    [-90, 'in 1 minute'],
  ])('says of %i seconds: %s', (seconds, said) => {
    expect(timeAgo(before(seconds), now, 'en')).toBe(said)
  })
})

it("Moments, days and numbers are written in the admin's language, by the shop's clock", () => {
  expect(timeAgo(before(7_200), now, 'de')).toBe('vor 2 Stunden')
  expect(dayText('2026-01-31', 'en')).toBe('Jan 31, 2026')
  expect(dayText('2026-01-31', 'de')).toBe('31.01.2026')
  expect(momentText(now, { language: 'de', timezone: 'Asia/Kolkata' })).toMatch(
    /21\.11\.2026.*17:30/,
  )
  expect(momentText(now, { language: 'de', timezone: 'UTC', onlyTime: true })).toBe('12:00')
  expect([numberText(12_345, 'en'), numberText(12_345, 'de')]).toEqual(['12,345', '12.345'])
})

describe('A count of something', () => {
  const counted = (language: string, count: number) => {
    const texts: Record<string, string> = { ...translations[language] }
    const t = (key: string, variables: Record<string, string | number> = {}) =>
      (texts[key.replace('storeconnect:', '')] ?? `no ${key}`).replace(
        '{{number}}',
        String(variables.number),
      )
    const words = createWords({ t, language, translations: { storeconnect: texts } })
    return words.counted('overviewOrders', count)
  }

  it.each([
    [0, '0 zamówień'],
    [1, '1 zamówienie'],
    [2, '2 zamówienia'],
    [5, '5 zamówień'],
    [22, '22 zamówienia'],
  ])('is said as the language has it: %i in Polish', (count, said) => {
    expect(counted('pl', count)).toBe(said)
  })

  it('is said by the rules of each language, also where its texts lack a plural', () => {
    expect([counted('fr', 0), counted('en', 0)]).toEqual(['0 commande', '0 orders'])
    expect(counted('fr', 1_000_000)).toContain('commandes')
    expect(counted('ja', 1)).toBe('1 件の注文')
  })
})
