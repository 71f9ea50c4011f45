import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { expect, inject, onTestFinished, vi } from 'vitest'
import { serveKlaviyoStandIn, type ServedStandIn } from '../../dev/klaviyo/serve-stand-in.ts'
import { demoApiKey, demoPublicKey } from '../../dev/klaviyo/stand-in.ts'
import { openBrowser, startDemoStore, type FilledStore } from '../support/demo-store.js'
import { outcomeOf } from './filled-store.js'

/** A store to visit: the demo with Klaviyo's stand-in, and a browser. */
export interface Demo {
  origin: string
  klaviyo: ServedStandIn
  browser: Browser
  /** A page in a browser that was never here; until the test is over. */
  newVisitor(options?: BrowserContextOptions): Promise<Page>
  /** Posts an event as a page of the store does, as whoever the page is. */
  track(page: Page, fields: Record<string, string>): Promise<void>
}

let opening: ReturnType<typeof open> | undefined

/** The one of this file, opened by whoever is first. */
export const openDemo = (): Promise<Demo> => (opening ??= open())

export const closeDemo = async (): Promise<void> => (await opening)?.close()

/** The build of the demo store, beside which other tests run. */
const longestFilling = { timeout: 840_000 }

/** Waits until the package and the demo store are built, and the demo store is filled. */
export async function whenFilled(): Promise<FilledStore> {
  const filled = inject('filledStore')
  await vi.waitFor(() => expect(outcomeOf(filled)).toBeDefined(), longestFilling)
  expect(outcomeOf(filled)).toBe('filled')
  return filled
}

async function open() {
  const filled = await whenFilled()
  const klaviyo = await serveKlaviyoStandIn({ port: 0 })
  const variables = {
    KLAVIYO_URL: klaviyo.origin,
    KLAVIYO_API_KEY: demoApiKey,
    KLAVIYO_PUBLIC_KEY: demoPublicKey,
  }
  const [store, browser] = await Promise.all([startDemoStore(filled, variables), openBrowser()])
  const { origin } = store
  return {
    origin,
    klaviyo,
    browser,
    async newVisitor(options?: BrowserContextOptions) {
      const context = await browser.newContext(options)
      onTestFinished(() => context.close())
      return context.newPage()
    },
    async track(page: Page, fields: Record<string, string>) {
      const info = await page.request.get(`${origin}/actions/users/session-info`)
      const { csrfTokenValue } = (await info.json()) as { csrfTokenValue: string }
      const answer = await page.request.post(`${origin}/actions/marketingconnect/api/track`, {
        form: { ...fields, CSRF_TOKEN: csrfTokenValue },
        headers: { 'x-requested-with': 'XMLHttpRequest' },
      })
      if ((await answer.text()) !== '"success"') throw new Error('The event was not taken')
    },
    async close() {
      await browser.close()
      await store.close()
      await klaviyo.close()
    },
  }
}
