import path from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { abandonedCartNumbers } from '../abandoned-cart-numbers.ts'
import { accounts } from '../seed/accounts.ts'
import { demoShippingPassword } from '../environment.ts'
import { createShipStation } from '../../src/mounts/cli/shipstation/stand-in.js'
import { makeAlike } from './make-alike.ts'
import { makeOverviewAlike } from './make-overview-alike.ts'

export interface PicturesParts {
  browser: Browser
  /** Where the files go. */
  directory: string
  /** Of a demo store as it was seeded. */
  origin: string
}

const desk = { width: 1280, height: 800 }
/** With room for the chart of the merchant's page. */
const tallDesk = { width: 1280, height: 1200 }
const phone = { width: 390, height: 844 }

/** One file each for what the README and the documents show. */
export async function takePictures({ browser, directory, origin }: PicturesParts): Promise<void> {
  const newPage = async (viewport = desk) =>
    (
      await browser.newContext({ colorScheme: 'light', reducedMotion: 'reduce', viewport })
    ).newPage()

  async function take(page: Page, name: string, alike = makeAlike) {
    await page.waitForLoadState('networkidle')
    await alike(page)
    const file = path.join(directory, `${name}.png`)
    await page.screenshot({ animations: 'disabled', caret: 'hide', path: file })
    console.log(`  ${path.basename(file)}`)
  }

  const guest = await newPage()
  await guest.goto(origin)
  await take(guest, 'shop')
  await guest.goto(`${origin}/products/morning-sencha`)
  await take(guest, 'product')
  await guest.goto(restoreLink(origin, abandonedCartNumbers.guest))
  await take(guest, 'cart-restored')
  await guest.goto(`${origin}/checkout`)
  await guest.getByRole('button', { name: 'Buy now', disabled: false }).waitFor()
  await take(guest, 'checkout')

  const onPhone = await newPage(phone)
  await onPhone.goto(origin)
  await take(onPhone, 'shop-phone')

  const daniel = await newPage()
  await logIn(daniel, origin, 'daniel')
  await daniel.goto(restoreLink(origin, abandonedCartNumbers.customer))
  await take(daniel, 'log-out-to-continue')

  const zofia = await newPage()
  await logIn(zofia, origin, 'zofia')
  await zofia.goto(`${origin}/account`)
  await take(zofia, 'account')

  const merchant = await newPage()
  await logInToAdmin(merchant, origin)
  await merchant.goto(`${origin}/admin/globals/marketing-settings`)
  await merchant.locator('#field-publicApiKey').waitFor()
  await take(merchant, 'marketing-settings')
  await beShipStation(origin)
  await merchant.setViewportSize(tallDesk)
  await openOverview(merchant, origin)
  await take(merchant, 'overview', makeOverviewAlike)
}

/** Pulls the orders once, and ships the first that waits. */
async function beShipStation(origin: string): Promise<void> {
  const shipStation = createShipStation({
    url: `${origin}/actions/shippingconnect/orders/process`,
    username: 'shipstation',
    password: demoShippingPassword,
  })
  const { orders } = await shipStation.pull({ from: new Date(0), to: new Date() })
  const order = orders.find(({ orderStatus }) => orderStatus === 'processing')
  if (!order) throw new Error('The demo store has no order that waits for its parcel')
  await shipStation.ship({
    orderNumber: order.orderNumber,
    carrier: 'USPS',
    service: 'Priority Mail',
    trackingNumber: '9400111899223197428490',
    items: [],
  })
}

/** Once all is sent. */
async function openOverview(page: Page, origin: string): Promise<void> {
  const isQuiet = page.getByText('Messages: 0 waiting')
  do {
    await page.goto(`${origin}/admin/globals/storeconnect`)
    await page.getByRole('heading', { level: 1 }).waitFor()
  } while ((await isQuiet.count()) === 0)
}

const restoreLink = (origin: string, number: string) =>
  `${origin}/actions/marketingconnect/cart/restore?number=${number}`

async function logIn(page: Page, origin: string, name: 'zofia' | 'daniel'): Promise<void> {
  const { email, password } = accountOf(name)
  await page.goto(`${origin}/login`)
  await page.locator('#email').fill(email)
  await page.locator('#password').fill(password)
  await page.getByRole('button', { name: 'Log in' }).click()
  await page.getByText('You are logged in.').waitFor()
}

async function logInToAdmin(page: Page, origin: string): Promise<void> {
  const { email, password } = accountOf('admin')
  await page.goto(`${origin}/admin/login`)
  await page.locator('#field-email').fill(email)
  await page.locator('#field-password').fill(password)
  await page.locator('button[type=submit]').click()
  await page.waitForURL(/\/admin\/?$/)
}

function accountOf(name: string) {
  const account = accounts.find(({ email }) => email.startsWith(`${name}@`))
  if (!account) throw new Error(`The demo store has no account of ${name}`)
  return account
}
