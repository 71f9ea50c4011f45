import type { BasePayload } from 'payload'
import { en } from '../../translations/en.js'
import type { PageText, ReadPageTexts } from '../page-texts.js'

type Words = Partial<Record<keyof typeof en, unknown>>

/**
 * The words of the Payload config: `i18n.translations.<language>.storeconnect`. A shop may speak a
 * language that its admin does not, so what the admin supports does not matter.
 */
export const createPageTexts = ({ config }: Pick<BasePayload, 'config'>): ReadPageTexts => {
  const { fallbackLanguage, translations } = config.i18n
  const byLanguage = translations as Readonly<Record<string, { storeconnect?: Words } | undefined>>
  const wordsIn = (language: string): Words | undefined =>
    Object.hasOwn(byLanguage, language) ? byLanguage[language]?.storeconnect : undefined

  return (wanted) => {
    const known = [...withoutSubtags(wanted), fallbackLanguage].find(
      (language) => wordsIn(language)?.restoreLogOutHeading !== undefined,
    )
    const words = wordsIn(known ?? 'en') ?? {}
    const say = (key: keyof typeof en): string => {
      const text = words[key]
      return typeof text === 'string' && text !== '' ? text : en[key]
    }
    const page = (name: 'LogOut' | 'LogIn'): PageText => ({
      heading: say(`restore${name}Heading`),
      explanation: say(`restore${name}Explanation`),
      button: say(`restore${name}Button`),
    })
    return {
      language: known ?? 'en',
      restored: say('restoreNotice'),
      formerCartKept: say('restoreFormerCartNotice'),
      logOut: page('LogOut'),
      logIn: page('LogIn'),
    }
  }
}

/** `de-AT`, then `de`. */
function withoutSubtags(language: string): string[] {
  const subtags = language.split('-')
  return subtags.map((_, index) => subtags.slice(0, subtags.length - index).join('-'))
}
