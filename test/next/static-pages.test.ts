import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { realEffects } from '../../src/effects.js'
import { defineAction } from '../../src/http/store-action.js'
import { addNotice, createSessions } from '../../src/http/session.js'
import { storePages } from '../../src/next/index.js'
import { beginPageView } from '../../src/next/visitor-session.js'
import { openDoor } from '../support/open-door.js'

// As Next.js does while it builds a page that is the same for everybody.
vi.mock('next/headers.js', () => ({
  headers: () => Promise.reject(new Error('DYNAMIC_SERVER_USAGE')),
}))

const path = '/actions/users/session-info'
const notice = { kind: 'notice', text: 'Your cart has been restored.' }

const restore = defineAction('shop/restore', (context) => {
  context.notice(notice.text)
  return new Response()
})

describe('A layout of static pages', () => {
  it('may hold the redirect of a form, which is the same for everybody', async () => {
    const { RedirectInput } = storePages({ secret: 'a secret' } as never)
    await expect(RedirectInput({ url: '/thanks' })).resolves.toBeDefined()
  })

  it('gets the notices once, and asking for a token uses up none', async () => {
    const door = await openDoor({ actions: [restore] })
    onTestFinished(() => door.close())
    const browser = door.aBrowser()
    await browser.post('shop/restore')
    expect(await browser.sessionInfo()).not.toHaveProperty('notices')
    await browser.send(`${path}?layout=1`, { method: 'HEAD' })
    expect(await browser.sessionInfo('?layout=1')).toMatchObject({ notices: [notice] })
    expect(await browser.sessionInfo('?layout=1')).toMatchObject({ notices: [] })
  })

  it.each([true, false])(
    'finds what the page view was given in a cookie of a minute (https: %s)',
    async (isSecure) => {
      const sessions = createSessions({
        secret: 'a secret of the store',
        effects: realEffects,
      })
      const url = `${isSecure ? 'https' : 'http'}://shop.example/help`
      const headers = { 'sec-fetch-dest': 'document' }
      const session = await sessions.open(new Request(url))
      addNotice(session, 'Käse; "Brot" 🍞')
      const cookie = (await session.cookie())?.split(';')[0] ?? ''
      const pageView = async (given: string) =>
        beginPageView(sessions, new Request(url, { headers: { ...headers, cookie: given } }))

      const first = await pageView(cookie)
      const [pair = '', ...attributes] = first.noticeCookie?.split('; ') ?? []
      expect(pair).toMatch(
        isSecure
          ? /^__Host-storeconnect-notices=[\w%.~!*'()-]+$/
          : /^storeconnect-notices=[^;\s]+$/,
      )
      expect(JSON.parse(decodeURIComponent(pair.slice(pair.indexOf('=') + 1)))).toEqual([
        { kind: 'notice', text: 'Käse; "Brot" 🍞' },
      ])
      expect(attributes).toEqual([
        'Path=/',
        'SameSite=Lax',
        ...(isSecure ? ['Secure'] : []),
        'Max-Age=60',
      ])
      const second = await pageView(first.cookie?.split(';')[0] ?? '')
      expect(second.noticeCookie).toBeUndefined()
    },
  )
})
