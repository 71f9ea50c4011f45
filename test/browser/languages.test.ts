import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { demoShippingPassword } from '../../dev/environment.ts'
import { createShipStation } from '../../src/mounts/cli/shipstation/stand-in.js'
import type { en } from '../../src/core/translations/en.js'
import { allTranslations } from '../../src/core/translations/translations.js'
import { openAdmin } from '../support/demo-store.js'
import { closeDemo, openDemo, type Demo } from './demo.js'
import { unfold } from './unfold.js'
import { phone, sidewaysScroll, untilLaidOut } from './width.js'

const translations = await allTranslations()

const settling = { timeout: 30_000 }

const languages = Object.keys(translations)

const lengthOf = (language: string) => Object.values(translations[language] ?? {}).join('').length

/** Where a text is cut off, it is in one of these. */
const longest = languages.toSorted((one, other) => lengthOf(other) - lengthOf(one)).slice(0, 3)

/** A page of the admin, and a text that is on it. */
interface Shown {
  path: string
  text: keyof typeof en
  /** Labels of fields that have a component of their own. */
  labels?: (keyof typeof en)[]
  /** Why an order was skipped. */
  reason?: keyof typeof en
  /** There is little on it, so it is read in the longest languages only. */
  isShort?: true
}

interface ShownIn extends Pick<Shown, 'text'> {
  language: string
}

/** Opens a page in the language of the admin, and waits until all of it is there. */
async function openShown(page: Page, url: string, { text, language }: ShownIn) {
  await page.goto(url)
  expect(await page.locator('html').getAttribute('lang')).toBe(language)
  const said = page.getByText(translations[language]?.[text] ?? '').filter({ visible: true })
  await said.first().waitFor()
  await untilLaidOut(page)
}

/** Numbers of orders are random: the header has to have room for the widest one, too. */
const widenNumber = (page: Page) =>
  page.evaluate(() => {
    const last = document.querySelector('.step-nav__last')
    if (/^\w{4}-\w{4}$/.test(last?.textContent ?? '')) last?.replaceChildren('WWWW-WWWW')
  })

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
  let shown: Shown[]

  beforeAll(async () => {
    demo = await openDemo()
    page = await openAdmin(demo.browser, demo)
    const day = 86_400_000
    await createShipStation({
      url: `${demo.origin}/actions/shippingconnect/orders/process`,
      username: 'shipstation',
      password: demoShippingPassword,
    }).pull({ from: new Date(Date.now() - 365 * day), to: new Date(Date.now() + day) })
    const email = 'ada@example.com'
    await demo.track(page, { email, 'event[name]': 'Liked' })
    const firstOf = async (collection: string, where = '') => {
      const id = await vi.waitFor(async () => {
        const found = await page.request.get(
          `${demo.origin}/api/${collection}?limit=1&depth=0${where}`,
        )
        const { docs } = (await found.json()) as { docs: { id: number }[] }
        if (docs[0] === undefined) throw new Error(`There is nothing in ${collection} yet`)
        return docs[0].id
      }, 30_000)
      return `/collections/${collection}/${id}`
    }
    shown = [
      { path: '', text: 'matters', isShort: true },
      { path: '/globals/storeconnect', text: 'overviewHeading' },
      {
        path: '/globals/shipping-settings',
        text: 'settingsIntro',
        labels: ['storeField', 'statusHandle', 'matrixField', 'carrierField'],
      },
      {
        path: '/globals/marketing-settings',
        text: 'marketingSettingsIntro',
        labels: ['allowedLists', 'consentList'],
      },
      {
        path: '/globals/alert-settings',
        text: 'alertSettingsIntro',
        labels: ['paidStatuses'],
        isShort: true,
      },
      { path: '/collections/marketing-sends', text: 'sendsDescription' },
      {
        // The store sends what its carts bring as well, and Payload cuts off the title of a long email.
        path: await firstOf('marketing-sends', `&where[profile][equals]=email:${email}`),
        text: 'sendMessage',
        isShort: true,
      },
      {
        path: '/collections/shipping-skipped-orders',
        text: 'skippedOrdersDescription',
        reason: 'skippedNoCountry',
        isShort: true,
      },
      { path: await firstOf('shipping-skipped-orders'), text: 'reasons', isShort: true },
      { path: '/collections/shipping-notices', text: 'shipmentsDescription', isShort: true },
      { path: '/collections/marketing-histories', text: 'historiesDescription', isShort: true },
      { path: '/collections/marketing-erasures', text: 'erasureFormIntro', isShort: true },
      { path: '/collections/storeconnect-alerts', text: 'alertsDescription', isShort: true },
      { path: '/collections/sites', text: 'sites', isShort: true },
      { path: await firstOf('sites'), text: 'siteStoreDescription', isShort: true },
      { path: await firstOf('orders'), text: 'amounts', labels: ['taxAmount'] },
    ]
    await page.setViewportSize(phone)
  })

  afterAll(closeDemo)

  it.each(languages)('reads all of the pages in %s, whoever looked before', async (language) => {
    const cookie = { name: 'payload-lng', value: language, url: demo.origin }
    await page.context().addCookies([cookie])
    const wrong: Record<string, unknown> = {}
    const read = shown.filter(({ isShort }) => !isShort || longest.includes(language))
    for (const { path, text, labels = [], reason } of read) {
      await openShown(page, `${demo.origin}/admin${path}`, { text, language })
      if (path.startsWith('/globals/') && labels.length > 0) await unfold(page)
      const translated = (key: keyof typeof en) => translations[language]?.[key] ?? ''
      // Payload makes the fields of a long page when they come near.
      await page.keyboard.press('End')
      for (const key of labels) {
        // A label that belongs to no control is a `span`.
        const label = page.locator('label, .field-label').getByText(translated(key))
        await label.waitFor(settling).catch(() => (wrong[`${path} ${key}`] = 'is not there'))
      }
      if (reason !== undefined) await page.getByText(translated(reason)).first().waitFor()
      // The browser lays the page out again while its scripts begin.
      await widenNumber(page)
      const look = async () => ({ scroll: await sidewaysScroll(page), cut: await cutTexts(page) })
      const allFits = async () => expect(await look()).toEqual({ scroll: 0, cut: [] })
      await vi.waitFor(allFits, settling).catch(async () => (wrong[path] = await look()))
    }
    expect(wrong).toEqual({})
  })
})
