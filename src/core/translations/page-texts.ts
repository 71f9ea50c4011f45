import type { BasePayload } from 'payload'
import { en } from './en.js'
import type { PlainKey } from './translation.js'
import { allTranslations } from './translations.js'

/**
 * Reads the texts in the site's language, else the first of `Accept-Language` that the store supports, else
 * Payload's fallback.
 */
export type ReadPageTexts = ReturnType<typeof createPageTexts>

/** The texts of the shop's pages and notices, in one language. */
export type PageTexts = Awaited<ReturnType<ReadPageTexts>>

type Words = Partial<Record<keyof typeof en, string>>

/** The config's `i18n.translations.<language>.storeconnect` win. A site may have a language that the admin lacks. */
export function createPageTexts({ config }: Pick<BasePayload, 'config'>) {
  // Most processes of a host with functions never show a page, and all languages take milliseconds.
  let read: ReturnType<typeof readLanguages> | undefined
  return async (site: { language: string } | undefined, headers: Headers) =>
    (await (read ??= readLanguages(config)))(site, headers)
}

async function readLanguages(config: BasePayload['config']) {
  const ours = await allTranslations()
  const { fallbackLanguage, supportedLanguages, translations } = config.i18n
  const own = translations as Readonly<Record<string, { storeconnect?: Words } | undefined>>
  const wordsOf = new Map(
    [...new Set([...Object.keys(ours), ...Object.keys(own)])].map((language) => [
      language,
      { ...ours[language], ...filled(own[language]?.storeconnect) },
    ]),
  )
  const wordsIn = (language: string): Words => wordsOf.get(language) ?? {}
  // People and browsers write `DE` or `zh-tw` too.
  const languageOfTag = new Map([...wordsOf.keys()].map((code) => [code.toLowerCase(), code]))
  const languagesOf = (tag: string) =>
    withoutSubtags(tag.toLowerCase()).flatMap((each) => languageOfTag.get(each) ?? [])
  const withPages = new Set(
    [...wordsOf].flatMap(([language, words]) => (hasPages(words) ? language : [])),
  )
  const isSupported = (language: string) => Object.hasOwn(supportedLanguages, language)

  return (site: { language: string } | undefined, headers: Headers) => {
    const ofSite = site?.language ?? ''
    const isOfBrowser = ofSite === ''
    const asked = isOfBrowser
      ? acceptedLanguages(headers).flatMap(languagesOf).filter(isSupported)
      : languagesOf(ofSite)
    const languages = [...asked, fallbackLanguage]
    const languageOf = (key: keyof typeof en) =>
      languages.find((language) => wordsIn(language)[key] !== undefined) ?? 'en'
    const known = languages.find((language) => withPages.has(language)) ?? 'en'
    const say = (key: keyof typeof en, language = known): string =>
      wordsIn(language)[key] ?? en[key]
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
      /** Whether the language is that of the browser, so that a cache must not give it to another one. */
      isOfBrowser,
      restored: notice('restoreNotice'),
      formerCartKept: notice('restoreFormerCartNotice'),
      codeRefused: notice('noticeCodeRefused'),
      cartUpdated: notice('noticeCartUpdated'),
      loggedIn: notice('noticeLoggedIn'),
      loggedOut: notice('noticeLoggedOut'),
      /** One text for every cause, so that it does not reveal who has an account. */
      loginRefused: notice('noticeLoginRefused'),
      logOut: page('LogOut'),
      logIn: page('LogIn'),
      stay: say('restoreLogOutStay'),
      /** The sentence of an error that says why a link brings no cart back; undefined for another error. */
      refusal: (key: PlainKey | undefined) => (key?.startsWith('restore') ? say(key) : undefined),
      toShop: say('restoreToShop'),
      /** The sentence of an error; undefined where only the English one is known. */
      problem(key: PlainKey | undefined): { language: string; message: string } | undefined {
        if (key === undefined) return undefined
        const language = languageOf(key)
        const message = say(key, language)
        return message === en[key] ? undefined : { language, message }
      },
    }
  }
}

/** A blank text of the store's counts as missing. */
const filled = (words: Words = {}): Words =>
  Object.fromEntries(
    Object.entries(words).filter(([, text]) => typeof text === 'string' && text !== ''),
  )

const hasPages = (words: Words): boolean =>
  Object.keys(words).some((key) => key.startsWith('restore'))

/** No browser sends more; a longer header is cut. */
const headerLimit = 500

/** The languages that a browser prefers, the best first. It names none with `*`. */
function acceptedLanguages(headers: Headers): string[] {
  const ranges = (headers.get('accept-language') ?? '').slice(0, headerLimit).split(',')
  return ranges
    .map((range) => {
      const [language = '', quality = ''] = range.split(';').map((part) => part.trim())
      return { language, quality: quality.startsWith('q=') ? Number(quality.slice(2)) : 1 }
    })
    .filter(({ language, quality }) => language !== '' && quality > 0)
    .sort((one, other) => other.quality - one.quality)
    .map(({ language }) => language)
}

/** `de-at`, then `de`. */
function withoutSubtags(language: string): string[] {
  const subtags = language.split('-')
  return subtags.map((_, index) => subtags.slice(0, subtags.length - index).join('-'))
}
