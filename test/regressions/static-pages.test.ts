import { describe, expect, it, vi } from 'vitest'
import type { Action } from '../../src/actions/visit.js'
import { addNotice, handOverNotices } from '../../src/http/flash-notice.js'
import { storePages } from '../../src/next/index.js'
import { openDoor } from '../support/open-door.js'

// As Next.js does while it builds a page that is the same for everybody.
vi.mock('next/headers.js', () => ({
  headers: () => Promise.reject(new Error('DYNAMIC_SERVER_USAGE')),
}))

const path = '/actions/users/session-info'
const notice = { kind: 'notice', text: 'Your cart has been restored.' }

const restore: Action = async (visit) => {
  addNotice(await visit.session(), notice.text)
  return new Response()
}

function aVisitor() {
  const pageView: Action = async (visit) => {
    const session = await visit.session()
    return Response.json(handOverNotices(session, door.clock.now))
  }
  const door = openDoor({ actions: { 'shop/restore': restore, 'shop/page': pageView } })
  return { browser: door.aBrowser(), clock: door.clock }
}

describe('A layout of static pages', () => {
  it('may hold the redirect of a form, which is the same for everybody', async () => {
    const { RedirectInput } = storePages({ secret: 'a secret' } as never)
    await expect(RedirectInput({ url: '/thanks' })).resolves.toBeDefined()
  })

  it('is told the notices once, and nobody else is told by asking for a token', async () => {
    const { browser } = aVisitor()
    await browser.send('/actions/shop/restore')
    expect(await browser.sessionInfo()).not.toHaveProperty('notices')
    await browser.send(`${path}?layout=1`, { method: 'HEAD' })
    expect(await browser.sessionInfo('?layout=1')).toMatchObject({ notices: [notice] })
    expect(await browser.sessionInfo('?layout=1')).toMatchObject({ notices: [] })
  })

  it('is told what the page view was given, as the page was built before', async () => {
    const { browser } = aVisitor()
    await browser.send('/actions/shop/restore')
    await browser.send('/actions/shop/page')
    expect(await browser.sessionInfo('?layout=1')).toMatchObject({ notices: [notice] })
    expect(await browser.sessionInfo('?layout=1')).toMatchObject({ notices: [] })
  })

  it('is not told what a page view showed more than a minute ago', async () => {
    const { browser, clock } = aVisitor()
    await browser.send('/actions/shop/restore')
    await browser.send('/actions/shop/page')
    clock.now = new Date(clock.now.getTime() + 60_000)
    expect(await browser.sessionInfo('?layout=1')).toMatchObject({ notices: [] })
  })
})
