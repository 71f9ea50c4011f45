import type { BasePayload } from 'payload'
import { en } from './en.js'

/** Reads the texts in a language; blank is the store's own. Missing texts are in English. */
export type ReadPageTexts = ReturnType<typeof createPageTexts>

/** The texts of the shop's pages and notices, in one language. */
export type PageTexts = ReturnType<ReadPageTexts>

/** The errors that a person who follows a link may see. */
export type RestoreRefusal = keyof PageTexts['refusals']

type Words = Partial<Record<keyof typeof en, unknown>>

/**
 * Makes the function that reads the texts of the Payload config, from
 * `i18n.translations.<language>.storeconnect`. It ignores `supportedLanguages`, which is for the admin:
 * a shop may have languages that its admin lacks.
 */
export function createPageTexts({ config }: Pick<BasePayload, 'config'>) {
  const { fallbackLanguage, translations } = config.i18n
  const byLanguage = translations as Readonly<Record<string, { storeconnect?: Words } | undefined>>
  const wordsIn = (language: string): Words | undefined =>
    Object.hasOwn(byLanguage, language) ? byLanguage[language]?.storeconnect : undefined

  return (wanted: string) => {
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
    // A notice stands alone, so it may be in a language that has no texts for the pages.
    const notice = (key: keyof typeof en) => say(key, languageOf(key))
    const page = (name: 'LogOut' | 'LogIn') => ({
      heading: say(`restore${name}Heading`),
      explanation: say(`restore${name}Explanation`),
      button: say(`restore${name}Button`),
    })
    return {
      /** The language of the pages, as a BCP 47 tag. */
      language: known,
      restored: notice('restoreNotice'),
      formerCartKept: notice('restoreFormerCartNotice'),
      cartUpdated: notice('noticeCartUpdated'),
      loggedIn: notice('noticeLoggedIn'),
      loggedOut: notice('noticeLoggedOut'),
      /** One text for every cause, so that it does not reveal who has an account. */
      loginRefused: notice('noticeLoginRefused'),
      logOut: page('LogOut'),
      logIn: page('LogIn'),
      /** Why a link brings no cart back. */
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
