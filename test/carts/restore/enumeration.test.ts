import { sql } from 'drizzle-orm'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { restorePath } from '../../../src/carts/restore-link.js'
import { sqlDatabase } from '../../../src/core/database/database.js'
import { anOrder, saveOrder } from '../../support/orders.js'
import { anyKind, type TestStore } from '../../support/store.js'
import { shopOrigin } from '../../support/browser.js'
import { daniel, linkTo, restoreWorld } from './restore-world.js'

const unknown = { number: '0123456789abcdef0123456789abcdef' }
const ada = { id: 918_273, email: 'ada.lovelace@people.example', password: 'analytical engine' }
const bob = { id: 645_738, email: 'bob@elsewhere.example', password: 'difference engine' }
const product = { title: 'Pearl necklace', sku: 'PEARL-77', priceInUSD: 31_337 }

/** What an answer says, but for what two answers to the same request differ in. */
interface Answered {
  status: number
  headers: Record<string, string>
  body: string
}

type Accept = 'text/html' | 'application/json'

describe('Restore links tried at random', () => {
  let things: Record<'guests' | 'adas' | 'bobs' | 'completed' | 'bought', string>

  const world = restoreWorld(anyKind)
  beforeAll(async () => {
    const { payload } = world
    const database = sqlDatabase(payload)
    for (const { id, ...account } of [bob, ada]) {
      // The next account has an id that is nowhere by chance.
      await database.rows(
        sql`insert into "users" ("id", "email") values (${id - 1}, ${String(id)})`,
      )
      const user = await payload.create({ collection: 'users', data: account })
      expect(user.id).toBe(id)
    }
    const { id } = await payload.create({
      collection: 'products',
      data: { ...product, _status: 'published' },
    })
    const purchasedAt = new Date().toISOString()
    const leave = async (data: Record<string, unknown>) =>
      (await world.leave({ items: [{ product: id, quantity: 3 }], ...data })).number
    const order = await saveOrder(payload, anOrder({ customerEmail: ada.email }))
    const bought = await payload.findByID({ collection: 'orders', id: order.id, depth: 0 })
    things = {
      guests: await leave({}),
      adas: await leave({ customer: ada.id }),
      bobs: await leave({ customer: bob.id }),
      completed: await leave({ customer: ada.id, purchasedAt }),
      bought: String(bought.number),
    }
  })
  beforeEach(() => world.log.clear())

  const secrets = async () => {
    const { docs } = await world.payload.db.find<Record<string, unknown> & { id: number }>({
      collection: 'carts',
      pagination: false,
    })
    return docs.flatMap(({ secret }) => (typeof secret === 'string' ? [secret] : []))
  }

  async function ask(
    number: string,
    {
      accept = 'text/html',
      query = {},
      cookie = '',
      handle = world.handle,
    }: {
      accept?: Accept
      query?: Record<string, string>
      cookie?: string
      handle?: TestStore['handle']
    } = {},
  ): Promise<Answered> {
    const headers = { accept, cookie, 'sec-fetch-site': 'none' }
    const response = await handle(new Request(shopOrigin + linkTo({ number }, query), { headers }))
    const requestId = response.headers.get('x-request-id') ?? ''
    const plain = (text: string) =>
      text.replaceAll(requestId, 'the request').replaceAll(number, 'the number')
    const answered = [...response.headers].filter(([name]) => name !== 'set-cookie')
    return {
      status: response.status,
      headers: Object.fromEntries(answered.map(([name, value]) => [name, plain(value)])),
      body: plain(await response.text()).replaceAll(
        /(name="(?:CSRF_TOKEN|redirect)" value=")[^"]*/g,
        '$1',
      ),
    }
  }

  const cookieOfDaniel = async () => {
    const { cookies } = await world.loggedIn(daniel)
    return [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  }

  async function expectNothingOfPeople(answered: unknown): Promise<void> {
    const text = JSON.stringify(answered)
    const [people, item] = [[ada, bob, daniel], Object.values(product)]
    const known = people.flatMap((person) => Object.values(person))
    for (const value of [...known, ...item, ...(await secrets())]) {
      expect(text).not.toContain(String(value))
    }
    expect(text).not.toMatch(/lovelace|pearl|necklace|94011|940\.11|313\.37|\bcustomerId\b/i)
  }

  it.each<Accept>(['text/html', 'application/json'])(
    'say nothing about people, asked for as %s',
    async (accept) => {
      const cookie = await cookieOfDaniel()
      for (const number of [unknown.number, ...Object.values(things), 'junk', '1 or 1=1']) {
        await expectNothingOfPeople(await ask(number, { accept }))
        await expectNothingOfPeople(await ask(number, { accept, cookie }))
      }
    },
  )

  it.each<Accept>(['text/html', 'application/json'])(
    'have one answer for whatever was bought, asked for as %s',
    async (accept) => {
      const cart = await ask(things.completed, { accept })
      expect(cart).toMatchObject({ status: 400, headers: { 'x-error-code': 'CART_COMPLETED' } })
      expect(await ask(things.bought, { accept })).toEqual(cart)
    },
  )

  it("have one answer for every account's cart", async () => {
    const first = await ask(things.adas)
    expect(first.status).toBe(200)
    expect(await ask(things.bobs)).toEqual(first)
    const cookie = await cookieOfDaniel()
    const foreign = await ask(things.adas, { cookie })
    expect(foreign.body).toContain('Log Out to Continue')
    expect(await ask(things.bobs, { cookie })).toEqual(foreign)
  })

  it.each<Accept>(['text/html', 'application/json'])(
    'have one answer for the unknown and the badly signed, asked for as %s',
    async (accept) => {
      const { handle } = await world.join({ options: { restore: { signedLinks: true } } })
      const missing = await ask(unknown.number, { accept })
      expect(missing).toMatchObject({ status: 404, headers: { 'x-error-code': 'CART_NOT_FOUND' } })
      expect(await ask('junk', { accept })).toEqual(missing)
      for (const number of [unknown.number, 'junk', ...Object.values(things)]) {
        for (const query of [{}, { signature: 'x' }, { signature: 'A'.repeat(43) }]) {
          expect(await ask(number, { accept, query, handle })).toEqual(missing)
        }
      }
    },
  )

  it('leave no number, no secret and nobody in the log', async () => {
    const { handle } = await world.join({ options: { restore: { signedLinks: true } } })
    const cookie = await cookieOfDaniel()
    const signature = 'a-signature-that-nobody-made'
    for (const number of [unknown.number, ...Object.values(things)]) {
      await ask(number, { query: { coupon: 'SECRET-COUPON', utm_source: 'ada.lovelace' } })
      await ask(number, { query: { signature }, handle })
      await ask(number, { cookie })
    }
    const written = world.log.text()
    expect(world.log.lines().map(({ msg }) => msg)).toContain('Cart restored')
    for (const number of [unknown.number, ...Object.values(things)]) {
      expect(written).not.toContain(number)
    }
    expect(written).not.toContain(signature)
    expect(written).not.toMatch(/secret-coupon|@|number=/i)
    expect(written).not.toContain(`${restorePath}?`)
    await expectNothingOfPeople(written)
  })
})
