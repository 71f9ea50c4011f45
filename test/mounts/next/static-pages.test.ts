import { describe, expect, it, vi } from 'vitest'
import { defineAction } from '../../../src/core/http/define-action.js'
import { partsOf } from '../../support/parts.js'
import { storePages } from '../../../src/mounts/next/index.js'
import { beginPageView } from '../../../src/mounts/next/visitor-session.js'
import { simulatedStore } from '../../support/simulated-store.js'
import { anyKind } from '../../support/store.js'

// As Next.js does while it builds a page that is the same for everybody.
vi.mock('next/headers.js', () => ({
  headers: () => Promise.reject(new Error('DYNAMIC_SERVER_USAGE')),
}))

const path = '/actions/users/session-info'
const notice = { kind: 'notice', text: 'Käse; "Brot" 🍞' }

const restore = defineAction('shop/restore', (context) => {
  context.notice(notice.text)
  return new Response()
})

describe('A layout of static pages', () => {
  const door = simulatedStore(anyKind, { options: { actions: [restore] } })

  it('may hold the redirect of a form, which is the same for everybody', async () => {
    const { RedirectInput } = storePages({ secret: 'a secret' } as never)
    await expect(RedirectInput({ url: '/thanks' })).resolves.toBeDefined()
  })

  it('gets the notices once, and asking for a token uses up none', async () => {
    const browser = door.aBrowser()
    await browser.post('shop/restore')
    expect(await browser.sessionInfo()).not.toHaveProperty('notices')
    await browser.send(`${path}?layout=1`, { method: 'HEAD' })
    expect(await browser.sessionInfo('?layout=1')).toMatchObject({ notices: [notice] })
    expect(await browser.sessionInfo('?layout=1')).toMatchObject({ notices: [] })
  })

  it.each([
    ['https', '__Host-storeconnect-notices', ['Path=/', 'SameSite=Lax', 'Secure', 'Max-Age=60']],
    ['http', 'storeconnect-notices', ['Path=/', 'SameSite=Lax', 'Max-Age=60']],
  ])(
    'finds what the page view was given in a cookie of a minute, over %s',
    async (scheme, cookieName, its) => {
      const browser = door.aBrowser(`${scheme}://shop.example`)
      await browser.post('shop/restore')
      const pageView = async (cookie: string) => {
        const headers = { 'sec-fetch-dest': 'document', cookie }
        const request = new Request(`${browser.origin}/help`, { headers })
        return beginPageView(partsOf(door.payload).sessions, request)
      }
      const first = await pageView(browser.cookie)
      const [pair = '', ...attributes] = first.noticeCookie?.split('; ') ?? []
      const [, name, value = ''] = /^([^=]+)=([\w%.~!*'()-]+)$/.exec(pair) ?? []
      expect([name, JSON.parse(decodeURIComponent(value))]).toEqual([cookieName, [notice]])
      expect(attributes).toEqual(its)
      const second = await pageView(first.cookie?.split(';')[0] ?? '')
      expect(second.noticeCookie).toBeUndefined()
    },
  )
})
