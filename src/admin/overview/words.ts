import type { TranslationKey } from '../../store/payload/label.js'
import { momentText, numberText, timeAgo } from './said.js'
import { countedBy, translateBy, type Translate } from '../translate.js'

/** How the sections of the page say things. */
export interface Words {
  translate: Translate
  number: (value: number) => string
  /** A text with a `{{number}}` in it, in the singular or the plural. */
  counted: (key: TranslationKey, count: number) => string
  moment: (at: Date) => string
  ago: (at: Date) => string
  /** Of the hour that begins then: `14:00`. */
  hour: (at: Date) => string
  timezone: string
}

export function createWords(
  i18n: { t: Parameters<typeof translateBy>[0]; language: string },
  timezone: string,
): Words {
  const { language } = i18n
  const now = new Date()
  const translate = translateBy(i18n.t)
  return {
    translate,
    number: (value) => numberText(value, language),
    counted: countedBy(translate, language),
    moment: (at) => momentText(at, { language, timezone }),
    ago: (at) => timeAgo(at, now, language),
    hour: (at) => momentText(at, { language, timezone, onlyTime: true }),
    timezone,
  }
}
