import { momentText, numberText, timeAgo } from './said.js'
import { translateBy, type Translate } from '../translate.js'

/** How the sections of the page say things. */
export interface Words {
  translate: Translate
  number: (value: number) => string
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
  return {
    translate: translateBy(i18n.t),
    number: (value) => numberText(value, language),
    moment: (at) => momentText(at, { language, timezone }),
    ago: (at) => timeAgo(at, now, language),
    hour: (at) => momentText(at, { language, timezone, onlyTime: true }),
    timezone,
  }
}
