import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { SessionData } from '../../../src/http/session.js'
import { createProduct } from '../../support/products.js'
import { anyKind, openStore, type TestStore } from '../../support/store.js'
import { openVisitorBrowser, shopOrigin } from '../../support/visitor-browser.js'
import { cartPath, codeOf, loginPath } from './restore-world.js'
import { openTravellingBrowser, type Cookies } from './travelling-browser.js'

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
 */
const everyCase = `
site         | visitor | cart       | first                        | again                        | whose cart it is then
-------------------------------------------------------------------------------------------------------------------------
same         | guest | guest's    | cart shop.example/cart       | cart shop.example/cart       | nobody
same         | guest | customer's | log in shop.example/login    | log in shop.example/login    | customer
same         | guest | unverified | cart shop.example/cart       | cart shop.example/cart       | unverified
same         | guest | locked     | log in shop.example/login    | log in shop.example/login    | locked
same         | guest | completed  | completed                    | completed                    | customer
same         | owner | guest's    | cart shop.example/cart       | cart shop.example/cart       | nobody
same         | owner | customer's | cart shop.example/cart       | cart shop.example/cart       | customer
same         | owner | unverified | cart shop.example/cart       | cart shop.example/cart       | unverified
same         | owner | locked     | cart shop.example/cart       | cart shop.example/cart       | locked
same         | owner | completed  | completed                    | completed                    | customer
same         | other | guest's    | cart shop.example/cart       | cart shop.example/cart       | other
same         | other | customer's | log out                      | log out                      | customer
same         | other | unverified | log out                      | log out                      | unverified
same         | other | locked     | log out                      | log out                      | locked
same         | other | completed  | completed                    | completed                    | customer

by path      | guest | guest's    | cart shop.example/de/korb    | cart shop.example/de/korb    | nobody
by path      | guest | customer's | log in shop.example/de/login | log in shop.example/de/login | customer
by path      | guest | unverified | cart shop.example/de/korb    | cart shop.example/de/korb    | unverified
by path      | guest | locked     | log in shop.example/de/login | log in shop.example/de/login | locked
by path      | guest | completed  | completed                    | completed                    | customer
by path      | owner | guest's    | cart shop.example/de/korb    | cart shop.example/de/korb    | nobody
by path      | owner | customer's | cart shop.example/de/korb    | cart shop.example/de/korb    | customer
by path      | owner | unverified | cart shop.example/de/korb    | cart shop.example/de/korb    | unverified
by path      | owner | locked     | cart shop.example/de/korb    | cart shop.example/de/korb    | locked
by path      | owner | completed  | completed                    | completed                    | customer
by path      | other | guest's    | cart shop.example/de/korb    | cart shop.example/de/korb    | other
by path      | other | customer's | log out                      | log out                      | customer
by path      | other | unverified | log out                      | log out                      | unverified
by path      | other | locked     | log out                      | log out                      | locked
by path      | other | completed  | completed                    | completed                    | customer

disabled     | guest | guest's    | cart shop.example/at/cart    | cart shop.example/at/cart    | nobody
disabled     | guest | customer's | log in shop.example/login    | log in shop.example/login    | customer
disabled     | guest | unverified | cart shop.example/at/cart    | cart shop.example/at/cart    | unverified
disabled     | guest | locked     | log in shop.example/login    | log in shop.example/login    | locked
disabled     | guest | completed  | completed                    | completed                    | customer
disabled     | owner | guest's    | cart shop.example/at/cart    | cart shop.example/at/cart    | nobody
disabled     | owner | customer's | cart shop.example/at/cart    | cart shop.example/at/cart    | customer
disabled     | owner | unverified | cart shop.example/at/cart    | cart shop.example/at/cart    | unverified
disabled     | owner | locked     | cart shop.example/at/cart    | cart shop.example/at/cart    | locked
disabled     | owner | completed  | completed                    | completed                    | customer
disabled     | other | guest's    | cart shop.example/at/cart    | cart shop.example/at/cart    | other
disabled     | other | customer's | log out                      | log out                      | customer
disabled     | other | unverified | log out                      | log out                      | unverified
disabled     | other | locked     | log out                      | log out                      | locked
disabled     | other | completed  | completed                    | completed                    | customer

by host      | guest | guest's    | cart far.example/basket      | cart far.example/basket      | nobody
by host      | guest | customer's | log in far.example/login     | log in far.example/login     | customer
by host      | guest | unverified | cart far.example/basket      | cart far.example/basket      | unverified
by host      | guest | locked     | log in far.example/login     | log in far.example/login     | locked
by host      | guest | completed  | completed                    | completed                    | customer
by host      | owner | guest's    | cart far.example/basket      | cart far.example/basket      | nobody
by host      | owner | customer's | log in far.example/login     | log in far.example/login     | customer
by host      | owner | unverified | cart far.example/basket      | cart far.example/basket      | unverified
by host      | owner | locked     | log in far.example/login     | log in far.example/login     | locked
by host      | owner | completed  | completed                    | completed                    | customer
by host      | other | guest's    | cart far.example/basket      | cart far.example/basket      | nobody
by host      | other | customer's | log in far.example/login     | log in far.example/login     | customer
by host      | other | unverified | cart far.example/basket      | cart far.example/basket      | unverified
by host      | other | locked     | log in far.example/login     | log in far.example/login     | locked
by host      | other | completed  | completed                    | completed                    | customer

other store  | guest | guest's    | cart trade.example/bag       | cart trade.example/bag       | nobody
other store  | guest | customer's | log in trade.example/login   | log in trade.example/login   | customer
other store  | guest | unverified | cart trade.example/bag       | cart trade.example/bag       | unverified
other store  | guest | locked     | log in trade.example/login   | log in trade.example/login   | locked
other store  | guest | completed  | completed                    | completed                    | customer
other store  | owner | guest's    | cart trade.example/bag       | cart trade.example/bag       | nobody
other store  | owner | customer's | log in trade.example/login   | log in trade.example/login   | customer
other store  | owner | unverified | cart trade.example/bag       | cart trade.example/bag       | unverified
other store  | owner | locked     | log in trade.example/login   | log in trade.example/login   | locked
other store  | owner | completed  | completed                    | completed                    | customer
other store  | other | guest's    | cart trade.example/bag       | cart trade.example/bag       | nobody
other store  | other | customer's | log in trade.example/login   | log in trade.example/login   | customer
other store  | other | unverified | cart trade.example/bag       | cart trade.example/bag       | unverified
other store  | other | locked     | log in trade.example/login   | log in trade.example/login   | locked
other store  | other | completed  | completed                    | completed                    | customer

closed store | guest | guest's    | other store                  | other store                  | nobody
closed store | guest | customer's | other store                  | other store                  | customer
closed store | guest | unverified | other store                  | other store                  | unverified
closed store | guest | locked     | other store                  | other store                  | locked
closed store | guest | completed  | completed                    | completed                    | customer
closed store | owner | guest's    | other store                  | other store                  | nobody
closed store | owner | customer's | other store                  | other store                  | customer
closed store | owner | unverified | other store                  | other store                  | unverified
closed store | owner | locked     | other store                  | other store                  | locked
closed store | owner | completed  | completed                    | completed                    | customer
closed store | other | guest's    | other store                  | other store                  | nobody
closed store | other | customer's | other store                  | other store                  | customer
closed store | other | unverified | other store                  | other store                  | unverified
closed store | other | locked     | other store                  | other store                  | locked
closed store | other | completed  | completed                    | completed                    | customer
`

const [, , ...lines] = everyCase.trim().split('\n')
const cases = lines
  .filter((line) => line !== '')
  .map((line) => {
    const [site = '', visitor = '', cart = '', first = '', again = '', owner = ''] = line
      .split('|')
      .map((cell) => cell.trim())
    return { site, visitor, cart, first, again, owner }
  })

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

const noCookies: Cookies = new Map()
const restored = { kind: 'notice', text: 'Your cart has been restored.' }

describe('The table of cart restore', () => {
  it('has each visitor with each cart of each site once', () => {
    const named = new Set(cases.map(({ site, visitor, cart }) => `${site}, ${visitor}, ${cart}`))
    expect(named.size).toBe(6 * 3 * 5)
    expect(cases).toHaveLength(named.size)
  })
})

describe('Restoring a cart', () => {
  let store: TestStore
  let product: number
  const siteIds: Record<string, number> = {}
  const accountIds: Record<string, number> = {}
  const logins: Record<string, Cookies> = {}

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
    const userAuth = { verify: true, maxLoginAttempts: 3, lockTime: 600_000 }
    store = await openStore(anyKind, { userAuth })
    product = await createProduct(store.payload)
    for (const [name, data] of Object.entries(siteData)) {
      const handle = name.replace(' ', '-')
      const site = await create('sites', { handle, name, store: 'tea', ...data })
      siteIds[name] = Number(site.id)
    }
    for (const account of accounts) {
      const user = { email: `${account}@people.example`, password: 'green tea, no sugar' }
      accountIds[account] = Number((await create('users', { ...user, _verified: true })).id)
      const browser = openVisitorBrowser(store.handle)
      expect((await browser.post(loginPath, user, { ajax: true })).status).toBe(200)
      logins[account] = new Map([[shopOrigin, browser.cookies]])
    }
    await write('unverified', { _verified: false })
    await write('locked', { lockUntil: new Date(Date.now() + 600_000).toISOString() })
  })
  afterAll(() => store.close())
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

  async function cookiesOf(
    { visitor, cart }: (typeof cases)[number],
    cartId: number,
  ): Promise<Cookies> {
    if (visitor === 'guest') return noCookies
    const account = visitor === 'other' ? 'other' : accountOf[cart]
    if (account !== undefined) return logins[account] ?? noCookies
    const browser = openVisitorBrowser(store.handle)
    await browser.changeSession({ cartId })
    return new Map([[shopOrigin, browser.cookies]])
  }

  /** The answer, in the words of the table. */
  async function answerOf(response: Response): Promise<string> {
    const [status, code] = codeOf(response)
    if (status === 400 && code === 'CART_COMPLETED') return 'completed'
    if (status === 400 && code === 'CART_OF_OTHER_STORE') return 'other store'
    if (status === 302) return `cart ${response.headers.get('location')?.slice('https://'.length)}`
    const html = await response.text()
    if (status === 200 && html.includes('<h1>Log Out to Continue</h1>')) return 'log out'
    const login = /<h1>Log In<.*?class="button" href="https:\/\/(?<url>[^"]*)"/s.exec(html)
    return status === 200 && login ? `log in ${login.groups?.url}` : `${status} ${html}`
  }

  /** What the session on the site where the link ended holds more than before. */
  function expectedSession(
    before: Readonly<SessionData> | undefined,
    { answer, url, cartId }: { answer: string; url: string; cartId: number },
  ): unknown {
    const data = { ...before, id: before?.id ?? (expect.any(String) as string) }
    if (answer.startsWith('cart')) return { ...data, cartId, flash: [restored] }
    if (answer.startsWith('log in'))
      return { ...data, returnUrl: url.slice(new URL(url).origin.length) }
    return before
  }

  it.each(cases)('$visitor, $cart cart, site $site: $first', async (row) => {
    const { id, link } = await leave(row)
    const browser = openTravellingBrowser(store, await cookiesOf(row, id))
    const account = loggedInAs(row)
    expect(await browser.account(shopOrigin)).toBe(account && accountIds[account])
    const before = await browser.sessions()

    for (const answer of [row.first, row.again]) {
      const { url, response } = await browser.open(link)
      expect(await answerOf(response)).toBe(answer)
      const { origin } = new URL(url)
      expect(await browser.session(origin)).toEqual(
        expectedSession(before[origin], { answer, url, cartId: id }),
      )
      // The sessions on other origins are what they were, and nobody is logged out.
      const others = { ...before, [origin]: await browser.session(origin) }
      expect({ ...others, ...(await browser.sessions()) }).toEqual(others)
      expect(await browser.account(shopOrigin)).toBe(account && accountIds[account])

      const { customer } = await store.payload.findByID({ collection: 'carts', id, depth: 0 })
      expect(customer ?? null).toBe(row.owner === 'nobody' ? null : accountIds[row.owner])
    }
  })
})
