import type { TranslationKey } from '../../core/payload/label.js'
import { ourTexts, pluralKey } from '../../core/translations/plural-key.js'

type Variables = Record<string, string | number>

// Payload types `t` with its own keys only, so a plugin's keys need this type.
type PayloadTranslate = (key: never, variables?: Variables) => string

interface I18n {
  t: PayloadTranslate
  language: string
  /** The texts of the language, by their groups. */
  translations: object
}

/** Writes texts, numbers and times in the admin's language. Times are in the shop's time zone. */
export function createWords({ t, language, translations }: I18n, timezone = 'UTC') {
  const now = new Date()
  const texts = ourTexts(translations)
  const translate = (key: TranslationKey, variables?: Variables): string =>
    t(`storeconnect:${key}` as never, variables)
  const number = (value: number) => numberText(value, language)
  return {
    translate,
    number,
    /** A text with a `{{number}}`, in the singular or the plural. */
    counted: (key: TranslationKey, count: number, variables: Variables = {}) =>
      t(`storeconnect:${pluralKey(key, count, { language, texts })}` as never, {
        number: number(count),
        ...variables,
      }),
    day: (day: string) => dayText(day, language),
    moment: (at: Date) => momentText(at, { language, timezone }),
    instant: (at: Date) =>
      new Intl.DateTimeFormat(language, {
        timeZone: timezone,
        dateStyle: 'medium',
        timeStyle: 'medium',
      }).format(at),
    milliseconds: (count: number) =>
      new Intl.NumberFormat(language, { style: 'unit', unit: 'millisecond' }).format(count),
    /** In milliseconds below a second, else in seconds. */
    duration: (ms: number) =>
      new Intl.NumberFormat(language, {
        style: 'unit',
        unit: ms < 1000 ? 'millisecond' : 'second',
        maximumFractionDigits: 1,
      }).format(ms < 1000 ? ms : ms / 1000),
    ago: (at: Date) => timeAgo(at, now, language),
    /** The start of an hour: `14:00`. */
    hour: (at: Date) => momentText(at, { language, timezone, onlyTime: true }),
    timezone,
  }
}

export type Words = ReturnType<typeof createWords>

export const numberText = (value: number, language: string): string =>
  new Intl.NumberFormat(language).format(value)

export const momentText = (
  at: Date,
  {
    language,
    timezone,
    onlyTime = false,
  }: { language: string; timezone: string; onlyTime?: boolean },
): string =>
  new Intl.DateTimeFormat(language, {
    timeZone: timezone,
    timeStyle: 'short',
    ...(!onlyTime && { dateStyle: 'medium' }),
  }).format(at)

/** Formats a calendar day, such as `2026-01-31`. UTC keeps it the same in every time zone. */
export const dayText = (day: string, language: string): string =>
  new Intl.DateTimeFormat(language, { timeZone: 'UTC', dateStyle: 'medium' }).format(new Date(day))

const units = [
  { unit: 'day', seconds: 86_400 },
  { unit: 'hour', seconds: 3_600 },
  { unit: 'minute', seconds: 60 },
] as const

/** `3 hours ago` or `in 2 minutes`; `now` for less than a minute. */
export function timeAgo(at: Date, now: Date, language: string): string {
  const seconds = (at.getTime() - now.getTime()) / 1000
  const format = new Intl.RelativeTimeFormat(language, { numeric: 'auto' })
  const fitting = units.find((unit) => Math.abs(seconds) >= unit.seconds)
  return fitting === undefined
    ? format.format(0, 'second')
    : format.format(Math.trunc(seconds / fitting.seconds), fitting.unit)
}
