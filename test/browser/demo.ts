import type { Browser, Page } from 'playwright-core'
import { serveKlaviyoStandIn, type ServedStandIn } from '../../dev/klaviyo/serve-stand-in.ts'
import { demoApiKey, demoPublicKey } from '../../dev/klaviyo/stand-in.ts'
import {
  fillDemoStore,
  openBrowser,
  startDemoStore,
  type FilledStore,
} from '../support/demo-store.js'

/** A store to visit: the demo with Klaviyo's stand-in, and a browser. */
export interface Demo {
  origin: string
  klaviyo: ServedStandIn
  browser: Browser
  /** Posts an event as a page of the store does, as whoever the page is. */
  track(page: Page, fields: Record<string, string>): Promise<void>
  close(): Promise<void>
}

/** For the first one: builds the demo store when it is not built, which takes a minute. */
export const longSetUp = 300_000

let filling: Promise<FilledStore> | undefined

/** When all visits are over. */
export const removeFilledStore = async (): Promise<void> => (await filling)?.remove()

export async function openDemo(): Promise<Demo> {
  filling ??= fillDemoStore()
  const filled = await filling
  const klaviyo = await serveKlaviyoStandIn({ port: 0 })
  const variables = {
    KLAVIYO_URL: klaviyo.origin,
    KLAVIYO_API_KEY: demoApiKey,
    KLAVIYO_PUBLIC_KEY: demoPublicKey,
  }
  const store = await startDemoStore(filled, variables)
  const browser = await openBrowser()
  const { origin } = store
  return {
    origin,
    klaviyo,
    browser,
    async track(page, fields) {
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
