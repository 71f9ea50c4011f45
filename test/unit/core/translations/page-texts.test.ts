import { describe, expect, it } from 'vitest'
import { createPageTexts } from '../../../../src/core/translations/page-texts.js'

type I18n = Parameters<typeof createPageTexts>[0]['config']['i18n']

const textsOf = (i18n: {
  fallbackLanguage?: string
  supported?: string[]
  translations?: object
}) =>
  createPageTexts({
    config: {
      i18n: {
        fallbackLanguage: i18n.fallbackLanguage ?? 'en',
        supportedLanguages: Object.fromEntries(
          (i18n.supported ?? ['en']).map((code) => [code, {}]),
        ),
        translations: i18n.translations ?? {},
      } as unknown as I18n,
    },
  } as Parameters<typeof createPageTexts>[0])

const accepts = (languages: string) => new Headers({ 'accept-language': languages })
const none = new Headers()

describe('The texts of pages', () => {
  it("are in the site's language first, even where the admin lacks it", async () => {
    const read = textsOf({ supported: ['en', 'fr'] })
    const texts = await read({ language: 'de-AT' }, accepts('fr'))
    expect(texts).toMatchObject({
      language: 'de',
      isOfBrowser: false,
      loggedIn: 'Sie sind angemeldet.',
    })
  })

  it('are found by a tag in any case', async () => {
    const own = { restoreLogInHeading: '登入' }
    const read = textsOf({
      supported: ['en', 'de', 'zh-TW'],
      translations: { 'zh-TW': { storeconnect: own } },
    })
    expect((await read({ language: 'DE-at' }, none)).language).toBe('de')
    expect((await read(undefined, accepts('EN;q=0.2, De'))).language).toBe('de')
    expect((await read(undefined, accepts('zh-tw'))).language).toBe('zh-TW')
  })

  it('are in the best language of the browser that the store supports', async () => {
    const read = textsOf({ supported: ['en', 'de', 'fr'] })
    const spoken = async (languages: string) => (await read(undefined, accepts(languages))).language
    expect(await spoken('de')).toBe('de')
    expect(await spoken('de-CH;q=0.5, fr;q=0.8')).toBe('fr')
    expect(await spoken('es, it;q=0.9, de;q=0.1')).toBe('de')
    expect(await spoken('de;q=0, *')).toBe('en')
    expect(await spoken('de;q=much')).toBe('en')
    expect(await spoken(',;,-,__proto__, constructor')).toBe('en')
    expect(await read({ language: '' }, accepts('de'))).toMatchObject({
      language: 'de',
      isOfBrowser: true,
    })
  })

  it("are in the store's fallback language where nothing else fits, or the header is too long", async () => {
    const japanese = textsOf({ fallbackLanguage: 'ja' })
    expect((await japanese(undefined, accepts('fr'))).loggedIn).toBe('ログインしました。')
    expect((await textsOf({})(undefined, none)).loggedIn).toBe('You are logged in.')
    const long = `${'xx,'.repeat(100_000)}de`
    const german = textsOf({ supported: ['en', 'de'] })
    expect((await german(undefined, accepts(long))).language).toBe('en')
  })

  it("prefer each of the store's own words to ours", async () => {
    const own = { noticeLoggedIn: 'Moin!', noticeLoggedOut: '' }
    const read = textsOf({ translations: { de: { storeconnect: own } } })
    const { loggedIn, loggedOut } = await read({ language: 'de' }, none)
    expect([loggedIn, loggedOut]).toEqual(['Moin!', 'Sie sind abgemeldet.'])
  })

  it('take a language that we lack from the store, and English for what it leaves out', async () => {
    const read = (own: object) =>
      textsOf({ translations: { cs: { storeconnect: own } } })({ language: 'cs' }, none)
    expect(await read({ restoreLogInHeading: 'Přihlásit se' })).toMatchObject({
      language: 'cs',
      logIn: { heading: 'Přihlásit se', button: 'Log In' },
    })
    // A notice makes no page.
    expect(await read({ noticeLoggedIn: 'Jste přihlášeni.' })).toMatchObject({
      language: 'en',
      loggedIn: 'Jste přihlášeni.',
      loggedOut: 'You are logged out.',
    })
  })
})
