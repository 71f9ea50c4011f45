import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { demoShippingPassword } from '../../dev/environment.ts'
import { createShipStation } from '../../dev/shipstation/platform.ts'
import { translations } from '../../src/translations/translations.js'
import { openAdmin } from '../support/demo-store.js'
import { longSetUp, openDemo, type Demo } from './demo.js'
import { phone, sidewaysScroll } from './width.js'

/** Of all the pages, on a busy machine. */
const longVisit = 240_000

const languages = Object.keys(translations)

/** Texts that are cut off: the browser hides what does not fit into their box. */
const cutTexts = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('main *, .template-default__wrap *')]
      .filter((element) => {
        const { overflowX, textOverflow } = getComputedStyle(element)
        const isCut = overflowX === 'hidden' || overflowX === 'clip' || textOverflow === 'ellipsis'
        const hasText = [...element.childNodes].some(
          ({ nodeType, textContent }) => nodeType === Node.TEXT_NODE && textContent?.trim() !== '',
        )
        return isCut && hasText && element.scrollWidth > element.clientWidth
      })
      .map(({ tagName, className, textContent }) => `${tagName}.${className}: ${textContent}`),
  )

describe('A merchant with a phone', () => {
  let demo: Demo
  let page: Page
  let paths: string[]

  beforeAll(async () => {
    demo = await openDemo()
    page = await openAdmin(demo.browser, demo)
    const day = 86_400_000
    await createShipStation({
      url: `${demo.origin}/actions/shippingconnect/orders/process`,
      username: 'shipstation',
      password: demoShippingPassword,
    }).pull({ from: new Date(Date.now() - 365 * day), to: new Date(Date.now() + day) })
    await demo.track(page, { email: 'ada@example.com', 'event[name]': 'Liked' })
    const firstOf = async (collection: string) => {
      const id = await vi.waitFor(async () => {
        const found = await page.request.get(`${demo.origin}/api/${collection}?limit=1&depth=0`)
        const { docs } = (await found.json()) as { docs: { id: number }[] }
        if (docs[0] === undefined) throw new Error(`There is nothing in ${collection} yet`)
        return docs[0].id
      }, 30_000)
      return `/collections/${collection}/${id}`
    }
    paths = [
      '/globals/storeconnect',
      '/globals/shipping-settings',
      '/globals/marketing-settings',
      '/collections/marketing-sends',
      await firstOf('marketing-sends'),
      '/collections/shipping-skipped-orders',
      await firstOf('shipping-skipped-orders'),
      '/collections/shipping-notices',
      '/collections/marketing-histories',
      '/collections/sites',
      await firstOf('sites'),
    ]
    await page.setViewportSize(phone)
  }, longSetUp)

  afterAll(() => demo?.close())

  it.each(languages)(
    'reads all of every page in %s',
    async (language) => {
      await page.context().addCookies([{ name: 'payload-lng', value: language, url: demo.origin }])
      const wrong: Record<string, unknown> = {}
      for (const path of paths) {
        await page.goto(`${demo.origin}/admin${path}`, { waitUntil: 'networkidle' })
        expect(await page.locator('html').getAttribute('lang')).toBe(language)
        const found = { scroll: await sidewaysScroll(page), cut: await cutTexts(page) }
        if (found.scroll > 0 || found.cut.length > 0) wrong[path] = found
      }
      expect(wrong).toEqual({})
    },
    longVisit,
  )

  it(
    'reads why an order was skipped in the language of the admin',
    async () => {
      for (const language of languages) {
        await page
          .context()
          .addCookies([{ name: 'payload-lng', value: language, url: demo.origin }])
        await page.goto(`${demo.origin}/admin/collections/shipping-skipped-orders`)
        await page
          .getByText(translations[language]?.skippedNoCountry ?? '')
          .first()
          .waitFor()
      }
    },
    longVisit,
  )
})
