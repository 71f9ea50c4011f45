import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { SessionData } from '../../../src/core/http/session.js'
import { createProduct } from '../../support/products.js'
import { sharedStore } from '../../support/shared-store.js'
import { anyKind } from '../../support/store.js'
import { shopOrigin, type TestBrowser } from '../../support/browser.js'
import { cartPath, codeOf, loginPath } from './restore-world.js'

/*
 * What a visitor of shop.example gets who opens the link of a cart there, twice, following redirects
 * from site to site.
 *
 * Sites: the one that the link is on; others of the same commerce store, by path and by host, where
 * the browser shows none of its cookies; one that is switched off, by path; sites of another commerce
 * store, by host, the closed one switched off.
 * Visitors: a guest without any cookie; the owner, who is the guest whose session has the cart, or
 * was logged in before the account was locked or its verification was taken back; another customer.
 * Accounts: one that is able to log in, an unverified one, and one that is locked after wrong passwords,
 * which changes nothing. The completed cart is the first one's.
 * The second answer is the first one again. Who takes a guest's cart is its customer from then on.
 */
const everyCase = `
site         | visitor | guest's     | customer's  | unverified  | locked      | completed
same         | guest   | cart        | log in      | cart        | log in      | completed
same         | owner   | cart        | cart        | cart        | cart        | completed
same         | other   | takes it    | log out     | log out     | log out     | completed
by path      | guest   | cart        | log in      | cart        | log in      | completed
by path      | owner   | cart        | cart        | cart        | cart        | completed
by path      | other   | takes it    | log out     | log out     | log out     | completed
disabled     | guest   | cart        | log in      | cart        | log in      | completed
disabled     | owner   | cart        | cart        | cart        | cart        | completed
disabled     | other   | takes it    | log out     | log out     | log out     | completed
by host      | guest   | cart        | log in      | cart        | log in      | completed
by host      | owner   | cart        | log in      | cart        | log in      | completed
by host      | other   | cart        | log in      | cart        | log in      | completed
other store  | guest   | cart        | log in      | cart        | log in      | completed
other store  | owner   | cart        | log in      | cart        | log in      | completed
other store  | other   | cart        | log in      | cart        | log in      | completed
closed store | guest   | other store | other store | other store | other store | completed
closed store | owner   | other store | other store | other store | other store | completed
closed store | other   | other store | other store | other store | other store | completed
`

const [heading = [], ...rows] = everyCase
  .trim()
  .split('\n')
  .map((line) => line.split('|').map((cell) => cell.trim()))
const cases = rows.flatMap(([site = '', visitor = '', ...answers]) =>
  answers.map((answer, index) => ({ site, visitor, cart: heading[index + 2] ?? '', answer })),
)

/** Where the cart of a site is, and its login. */
const places: Record<string, { cart: string; login: string }> = {
  same: { cart: 'shop.example/cart', login: 'shop.example/login' },
  'by path': { cart: 'shop.example/de/korb', login: 'shop.example/de/login' },
  disabled: { cart: 'shop.example/at/cart', login: 'shop.example/login' },
  'by host': { cart: 'far.example/basket', login: 'far.example/login' },
  'other store': { cart: 'trade.example/bag', login: 'trade.example/login' },
}

const siteData: Record<string, Record<string, unknown>> = {
  same: { baseUrl: shopOrigin, cartUrl: '/cart', primary: true },
  'by path': { baseUrl: `${shopOrigin}/de`, cartUrl: 'korb' },
  disabled: { baseUrl: `${shopOrigin}/at`, cartUrl: '/cart', enabled: false },
  'by host': { baseUrl: 'https://far.example', cartUrl: '/basket' },
  'other store': { baseUrl: 'https://trade.example', cartUrl: '/bag', store: 'trade' },
  'closed store': {
    baseUrl: 'https://closed.example',
    cartUrl: '/bag',
    store: 'trade',
    enabled: false,
  },
}

const accounts = ['customer', 'unverified', 'locked', 'other'] as const
type Account = (typeof accounts)[number]

const accountOf: Record<string, Account> = {
  "customer's": 'customer',
  unverified: 'unverified',
  locked: 'locked',
  completed: 'customer',
}

/** Payload lets nobody in whose verification was taken back. */
function loggedInAs({ visitor, cart }: { visitor: string; cart: string }): Account | undefined {
  if (visitor === 'other') return 'other'
  return visitor === 'owner' && cart !== 'unverified' ? accountOf[cart] : undefined
}

const restored = { kind: 'notice', text: 'Your cart has been restored.' }

describe('Restoring a cart', () => {
  const userAuth = { verify: true, maxLoginAttempts: 3, lockTime: 600_000 }
  const store = sharedStore(anyKind, { userAuth })
  let product: number
  const siteIds: Record<string, number> = {}
  const accountIds: Record<string, number> = {}
  const logins: Record<string, TestBrowser> = {}

  const create = async (collection: string, data: Record<string, unknown>) =>
    store.payload.create({ collection, data, depth: 0, disableVerificationEmail: true })
  const write = (account: Account, data: Record<string, unknown>) =>
    store.payload.db.updateOne({
      collection: 'users',
      id: accountIds[account] ?? 0,
      data,
      returning: false,
    })

  beforeAll(async () => {
    product = await createProduct(store.payload)
    for (const [name, data] of Object.entries(siteData)) {
      const handle = name.replace(' ', '-')
      const site = await create('sites', { handle, name, store: 'tea', ...data })
      siteIds[name] = Number(site.id)
    }
    for (const account of accounts) {
      const user = { email: `${account}@people.example`, password: 'green tea, no sugar' }
      accountIds[account] = Number((await create('users', { ...user, _verified: true })).id)
      const browser = store.aBrowser()
      expect((await browser.post(loginPath, user, { ajax: true })).status).toBe(200)
      logins[account] = browser
    }
    await write('unverified', { _verified: false })
    await write('locked', { lockUntil: new Date(Date.now() + 600_000).toISOString() })
  })
  // A cart that became somebody's would be the one that they had before, in the next case.
  afterEach(() => store.payload.db.deleteMany({ collection: 'carts', where: {} }))

  async function leave({ site, cart }: (typeof cases)[number]) {
    const account = accountOf[cart]
    const { id, number } = await create('carts', {
      items: [{ product, quantity: 2 }],
      currency: 'USD',
      site: siteIds[site],
      ...(account && { customer: accountIds[account] }),
      ...(cart === 'completed' && { purchasedAt: new Date().toISOString() }),
    })
    return { id: Number(id), link: `${shopOrigin}${cartPath}?number=${String(number)}` }
  }

  async function browserOf({ visitor, cart }: (typeof cases)[number], cartId: number) {
    const login =
      visitor === 'guest'
        ? undefined
        : logins[visitor === 'other' ? 'other' : (accountOf[cart] ?? '')]
    if (login !== undefined) return login.copy()
    const browser = store.aBrowser()
    if (visitor === 'owner') await browser.changeSession({ cartId })
    return browser
  }

  /** Opens a link, as a browser says it of one on a page of a web mailer, and goes on to the other site. */
  async function follow(browser: TestBrowser, link: string) {
    let url = link
    for (let redirects = 0; redirects <= 1; redirects += 1) {
      const response = await browser.get(url, {
        'sec-fetch-site': 'cross-site',
        'sec-fetch-mode': 'navigate',
        'sec-fetch-dest': 'document',
      })
      const target = new URL(response.headers.get('location') ?? 'about:blank', url)
      if (!target.pathname.endsWith(cartPath)) return { url, response }
      url = target.href
    }
    throw new Error('The link sends its visitor around in circles.')
  }

  const accountOn = async (browser: TestBrowser) => (await browser.copy().sessionInfo()).id

  /** The answer, in the words of the table, and where it leads. */
  async function answerOf(response: Response): Promise<string[]> {
    const [status, code] = codeOf(response)
    if (status === 400 && code === 'CART_COMPLETED') return ['completed']
    if (status === 400 && code === 'CART_OF_OTHER_STORE') return ['other store']
    if (status === 302) return ['cart', response.headers.get('location') ?? '']
    const html = await response.text()
    if (status === 200 && html.includes('<h1>Log Out to Continue</h1>')) return ['log out']
    const login = /<h1>Log In<.*?class="button" href="(?<url>[^"]*)"/s.exec(html)
    if (status !== 200 || !login) return [`${status} ${html}`]
    const { origin, pathname, searchParams } = new URL(login.groups?.url ?? '')
    expect(searchParams.get('redirect')).toMatch(/\/actions\/marketingconnect\/cart\/restore\?/)
    return ['log in', origin + pathname]
  }

  /** What the session on the site where the link ended holds more than before. */
  function expectedSession(
    before: Readonly<SessionData> | undefined,
    { answer, url, cartId }: { answer: string; url: string; cartId: number },
  ): unknown {
    const data = { ...before, id: before?.id ?? (expect.any(String) as string) }
    if (answer === 'cart') return { ...data, cartId, flash: [restored] }
    if (answer === 'log in') return { ...data, returnUrl: url.slice(new URL(url).origin.length) }
    return before
  }

  it.each(cases)('$visitor, $cart cart, site $site: $answer', async (row) => {
    const { id, link } = await leave(row)
    const browser = await browserOf(row, id)
    const account = loggedInAs(row)
    expect(await accountOn(browser)).toBe(account && accountIds[account])
    const before = await browser.sessions()
    const answer = row.answer === 'takes it' ? 'cart' : row.answer
    const place = { cart: places[row.site]?.cart, 'log in': places[row.site]?.login }[answer]
    const owner = row.answer === 'takes it' ? 'other' : accountOf[row.cart]

    for (let time = 0; time < 2; time += 1) {
      const { url, response } = await follow(browser, link)
      expect(await answerOf(response)).toEqual([answer, ...(place ? [`https://${place}`] : [])])
      const { origin } = new URL(url)
      const after = await browser.sessions()
      expect(after[origin]).toEqual(expectedSession(before[origin], { answer, url, cartId: id }))
      // The sessions on other origins are what they were, and nobody is logged out.
      const others = { ...before, [origin]: after[origin] }
      expect({ ...others, ...after }).toEqual(others)
      expect(await accountOn(browser)).toBe(account && accountIds[account])

      const { customer } = await store.payload.findByID({ collection: 'carts', id, depth: 0 })
      expect(customer ?? null).toBe(owner === undefined ? null : accountIds[owner])
    }
  })
})
