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
    const languages = [...withoutSubtags(wanted), fallbackLanguage]
    const languageOf = (key: keyof typeof en) =>
      languages.find((language) => wordsIn(language)?.[key] !== undefined) ?? 'en'
    const hasPages = (language: string) =>
      Object.keys(wordsIn(language) ?? {}).some((key) => key.startsWith('restore'))
    const known = languages.find(hasPages) ?? 'en'
    const say = (key: keyof typeof en, language = known): string => {
      const text = wordsIn(language)?.[key]
      return typeof text === 'string' && text !== '' ? text : en[key]
    }
    // One stands alone, whatever language the pages are in.
    const notice = (key: keyof typeof en) => say(key, languageOf(key))
    const page = (name: 'LogOut' | 'LogIn'): PageText => ({
      heading: say(`restore${name}Heading`),
      explanation: say(`restore${name}Explanation`),
      button: say(`restore${name}Button`),
    })
    return {
      language: known,
      restored: notice('restoreNotice'),
      formerCartKept: notice('restoreFormerCartNotice'),
      cartUpdated: notice('noticeCartUpdated'),
      loggedIn: notice('noticeLoggedIn'),
      loggedOut: notice('noticeLoggedOut'),
      loginRefused: notice('noticeLoginRefused'),
      logOut: page('LogOut'),
      logIn: page('LogIn'),
      refusals: {
        CART_NUMBER_MISSING: say('restoreNumberMissing'),
        CART_NOT_FOUND: say('restoreNotFound'),
        CART_COMPLETED: say('restoreCompleted'),
        CART_OF_OTHER_STORE: say('restoreOtherStore'),
        CART_URL_MISSING: say('restoreCartUrlMissing'),
        LINK_EXPIRED: say('restoreLinkExpired'),
      },
      toShop: say('restoreToShop'),
    }
  }
}

/** `de-AT`, then `de`. */
function withoutSubtags(language: string): string[] {
  const subtags = language.split('-')
  return subtags.map((_, index) => subtags.slice(0, subtags.length - index).join('-'))
}
