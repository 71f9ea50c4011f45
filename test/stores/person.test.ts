import { createLocalReq, type Field, type Plugin } from 'payload'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import {
  personPath,
  type Person,
  type PersonAnswer,
  type PersonQuery,
} from '../../src/merchant/people/person.js'
import { linkTo } from '../carts/restore/restore-world.js'
import { apiOf } from '../support/api-of.js'
import { shopOrigin } from '../support/browser.js'
import { catchUpFeeds } from '../support/catch-up-feeds.js'
import { anOrder } from '../support/orders.js'
import { storeConfig, type DatabaseKind, type StoreSetup } from '../support/store-config.js'
import {
  anyKind,
  databaseKinds,
  openShapedStore,
  openStore,
  type TestStore,
} from '../support/store.js'
import { openVersionedStore } from '../support/versioned-store.js'
import { packagesConfig } from './known-packages-config.js'
import { tenantConfig } from './tenant-config.js'
import { openUuidStore } from './uuid-store.js'

type Data = Record<string, unknown>
type Document = Data & { id: number | string }

const ada = 'ada@example.com'
const drafts = { drafts: true }
const deletedAt = '2026-01-01T00:00:00.000Z'

/** What most stores have. */
const usual = {
  customers: 'users',
  admins: 'users',
  site: {
    collection: 'sites',
    data: { handle: 'shop', name: 'Shop', baseUrl: shopOrigin } as Data,
  },
  /** Where it keeps whose an order is. */
  customer: 'customer',
  email: (customerEmail: string | null): Data => ({ customerEmail }),
  /** What each order has. */
  order: {} as Data,
}

interface Shape extends Partial<typeof usual> {
  shape: string
  open: (kind: DatabaseKind) => Promise<TestStore>
  /** What an order has that is on no page. */
  hidden?: Data
}

const opened =
  (setup: Omit<StoreSetup, 'kind' | 'url'>): Shape['open'] =>
  (kind) =>
    openShapedStore(kind, (of, url) => storeConfig({ ...setup, kind: of, url }))

const changed =
  (changes: Record<string, { fields?: Field[]; trash?: true }>): Plugin =>
  ({ collections = [], ...config }) => ({
    ...config,
    collections: collections.map(({ fields, ...collection }) => {
      const { fields: more = [], ...rest } = changes[collection.slug] ?? {}
      return { ...collection, ...rest, fields: [...fields, ...more] }
    }),
  })

const phone: Field = { name: 'phone', type: 'text' }
const buyer: Field = { name: 'buyer', type: 'relationship', relationTo: 'users' }
const contact: Field = {
  name: 'contact',
  type: 'group',
  fields: [
    { name: 'mail', type: 'text' },
    { name: 'code', type: 'number' },
  ],
}

const withTrash: Shape = {
  shape: 'where all goes to the trash, with two fields for phone numbers',
  open: (kind) =>
    openShapedStore(kind, (_, url) =>
      packagesConfig({
        kind,
        url,
        plugins: [
          changed({
            users: {
              trash: true,
              fields: [phone, { name: 'phoneNumber', type: 'number' }],
            },
            carts: { trash: true },
            orders: { trash: true },
          }),
        ],
      }),
    ),
  hidden: { deletedAt },
}

const shapes: Shape[] = [
  { shape: 'whose ids are uuids', open: openUuidStore, hidden: { deletedAt } },
  {
    shape: 'with drafts of all',
    open: (kind) =>
      openVersionedStore(kind, drafts, {
        versions: { carts: drafts, transactions: drafts, users: drafts },
      }),
    order: { _status: 'published' },
    hidden: { _status: 'draft' },
  },
  withTrash,
  {
    shape: 'with names of its own',
    open: (kind) =>
      openShapedStore(kind, (_, url) =>
        packagesConfig({
          kind,
          url,
          idType: 'uuid',
          options: {
            fields: {
              customer: 'buyer',
              customerEmail: 'contact.mail',
              reference: 'contact.code',
            },
          },
          plugins: [
            changed({
              users: { fields: [phone] },
              carts: { fields: [buyer] },
              orders: { fields: [buyer, contact] },
            }),
          ],
        }),
      ),
    customer: 'buyer',
    email: (mail) => ({ contact: { mail, code: ++code } }),
  },
  {
    shape: 'whose sites are tenants',
    open: (kind) => openShapedStore(kind, tenantConfig),
    customers: 'shoppers',
    admins: 'staff',
    site: { collection: 'tenants', data: { domain: 'shop.example', isMain: true } },
  },
  { shape: 'without Klaviyo', open: opened({ options: { marketing: false } }) },
  { shape: 'without ShipStation', open: opened({ options: { shipping: false } }) },
]
let code = 1000

// Payload keeps the texts of a language once a process, from the store that needs them first.
beforeAll(async () => {
  const store = await openStore(anyKind)
  await createLocalReq({}, store.payload)
  await store.close()
})

async function openShop(kind: DatabaseKind, shape: Shape) {
  const { customers, admins, site, customer, email, order } = { ...usual, ...shape }
  const store = await shape.open(kind)
  onTestFinished(() => store.close())
  const { payload } = store
  const ask = apiOf(store, admins)
  const create = async (collection: string, data: Data): Promise<Document> =>
    await payload.create({ collection, data, depth: 0 })
  await create(site.collection, { cartUrl: '/cart', primary: true, ...site.data })
  const phone = '+44 20 7946 0000'
  const mine = { email: ada, password: 'green tea', phone, roles: ['customer'] }
  return {
    ...store,
    customers,
    create,
    account: await create(customers, mine),
    /** What says that an order or a cart is an account's. */
    of: ({ id }: Document): Data => ({ [customer]: id }),
    buy: (mail: string | null, more: Data = {}) =>
      create('orders', anOrder({ ...order, ...email(mail), ...more })),
    async read(this: void, by: PersonQuery['by'], value: unknown): Promise<Person> {
      const body = { by, value: String(value) }
      const answer = await ask(personPath, { as: 'admin', body })
      expect(answer.status, await answer.clone().text()).toBe(200)
      const found = (await answer.json()) as PersonAnswer
      if (found.is !== 'person') throw new Error('There are several.')
      return found.person
    },
  }
}

describe.each(databaseKinds)('The page of a person (%s)', (kind) => {
  it.each(shapes)('has what is theirs in a store $shape', async (shape) => {
    const shop = await openShop(kind, shape)
    const { payload, customers, create, account, of, buy, read } = shop
    const grace = await create(customers, { email: 'grace@example.com', password: 'green tea' })
    const own = await buy(null, of(account))
    const asGuest = await buy('Ada@example.com')
    await buy(ada, of(grace))
    if (shape.hidden) await buy(ada, shape.hidden)
    const tea = await create('products', { priceInUSD: 1250, _status: 'published' })
    const cart = { items: [{ product: tea.id, quantity: 2 }], currency: 'USD' }
    const kept = await create('carts', { ...cart, ...of(account) })
    const left = await create('carts', cart)
    const payment = { amount: 1, currency: 'USD', paymentMethod: 'demo', customerEmail: ada }
    await create('transactions', { ...payment, cart: left.id })
    if (payload.collections['marketing-sends']) await catchUpFeeds(payload)

    const person = await read('text', ada)
    const path = `/collections/${customers}/${account.id}`
    expect(person.account).toMatchObject({ id: account.id, path, email: ada })
    expect(person.orders.map(({ id }) => id)).toEqual([asGuest.id, own.id])
    expect(person.orderCount).toBe(2)
    expect(person.carts.map(({ id }) => id)).toEqual([left.id, kept.id])
    expect(person.carts[0]?.link).toBe(`${shopOrigin}${linkTo({ number: String(left.number) })}`)
    expect(await read('customer', account.id)).toEqual(person)
    const { account: called } = await read('text', '+44 20 7946 0000')
    expect(called).toEqual('phone' in account ? person.account : undefined)
    for (const { id } of [own, asGuest]) expect(await read('order', id)).toEqual(person)

    await payload.delete({ collection: customers, id: account.id })
    for (const former of [await read('text', ada), await read('order', own.id)]) {
      expect(former.account).toBeUndefined()
      expect(former.orders.map(({ id }) => id)).toContain(own.id)
    }
  })

  it('leads to an account in the trash where Payload shows it, and has no cart of the trash', async () => {
    const { payload, customers, create, account, of, read } = await openShop(kind, withTrash)
    await create('carts', { items: [], currency: 'USD', ...of(account), deletedAt })
    await payload.update({ collection: customers, id: account.id, data: { deletedAt } })
    const person = await read('text', ada)
    expect(person.account).toMatchObject({ path: `/collections/users/trash/${account.id}` })
    expect(person.carts).toEqual([])
  })
})
