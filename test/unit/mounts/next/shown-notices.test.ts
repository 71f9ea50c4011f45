import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { FlashNotice } from '../../../../src/core/http/session.js'

const restored: FlashNotice = { kind: 'notice', text: 'Your cart has been restored.' }
const updated: FlashNotice = { kind: 'notice', text: 'Your cart has been updated.' }

/** A page that a browser has just loaded. */
async function load({ cookie = [], session = [] }: Record<string, FlashNotice[]> = {}) {
  vi.resetModules()
  const value = encodeURIComponent(JSON.stringify(cookie))
  const document = {
    text: cookie.length === 0 ? '' : `storeconnect-notices=${value}`,
    get cookie() {
      return this.text
    },
    set cookie(_: string) {
      this.text = ''
    },
  }
  vi.stubGlobal('document', document)
  vi.stubGlobal('location', { protocol: 'http:' })
  vi.stubGlobal('fetch', () => Promise.resolve(Response.json({ notices: session })))
  const { findNotices, leaveOtherPages, shownNotices } =
    await import('../../../../src/mounts/next/flash-notices.js')
  return {
    find: (notices: FlashNotice[] = [], base?: string) =>
      findNotices({ pathname: '/cart', notices }, base),
    leaveOtherPages,
    shown: () => shownNotices().notices,
  }
}

describe('The notices of a page', () => {
  beforeEach(() => () => vi.unstubAllGlobals())

  it('are those that it came with, and of its cookie when it was built before', async () => {
    for (const given of [[restored], []]) {
      const page = await load({ cookie: [restored] })
      await page.find(given)
      expect(page.shown()).toEqual([restored])
    }
  })

  it('are there once, however often its pieces start anew', async () => {
    const page = await load({ cookie: [restored], session: [updated] })
    await Promise.all([page.find([], ''), page.find([], '')])
    await page.find([], '')
    expect(page.shown()).toEqual([restored, updated])

    const given = await load()
    await given.find([restored])
    await given.find([restored])
    expect(given.shown()).toEqual([restored])
  })

  it('go when the visitor goes to another page', async () => {
    const page = await load()
    await page.find([restored])
    page.leaveOtherPages('/cart')
    expect(page.shown()).toEqual([restored])
    page.leaveOtherPages('/')
    await page.find([restored])
    expect(page.shown()).toEqual([])
  })
})
