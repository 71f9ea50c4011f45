import { sql } from 'drizzle-orm'
import {
  definePlugin,
  type CollectionConfig,
  type Config,
  type Field,
  type PayloadRequest,
} from 'payload'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { storeConnect } from '../../src/index.js'
import type { StoreConnectOptions } from '../../src/types.js'
import { findField } from '../../src/core/payload/field-search.js'
import { deepFreeze } from '../support/deep-freeze.js'
import { anOrder, saveOrder } from '../support/orders.js'
import { exportRequest } from '../support/shipping-requests.js'
import { itOnceOn } from '../support/it-once.js'
import { databaseKinds, openStore, type TestStore } from '../support/store.js'

const storeHook = () => undefined
const storeAccess = () => true

const orders: CollectionConfig = {
  slug: 'orders',
  access: { read: storeAccess },
  admin: { group: 'Shop' },
  endpoints: [{ path: '/own', method: 'get', handler: () => new Response() }],
  hooks: { beforeValidate: [storeHook], beforeDelete: [storeHook], afterChange: [storeHook] },
  fields: [
    {
      type: 'tabs',
      tabs: [
        {
          label: 'Order',
          fields: [
            {
              name: 'status',
              type: 'select',
              defaultValue: 'processing',
              options: ['processing', 'refunded'],
            },
            { name: 'items', type: 'array', fields: [{ name: 'quantity', type: 'number' }] },
          ],
        },
      ],
    },
    { name: 'customer', type: 'relationship', relationTo: 'customers' },
    { name: 'amount', type: 'number' },
    { name: 'giftMessage', type: 'text', label: 'The store had this before' },
    {
      name: 'shippingAddress',
      type: 'group',
      fields: [{ name: 'street', type: 'text' }],
    },
  ],
}

const carts: CollectionConfig = {
  slug: 'carts',
  hooks: { beforeChange: [storeHook] },
  fields: [{ name: 'items', type: 'array', fields: [{ name: 'quantity', type: 'number' }] }],
}

const accounts: CollectionConfig[] = [
  { slug: 'staff', auth: true, fields: [] },
  { slug: 'customers', auth: true, fields: [] },
]

const aConfig = (changes: Partial<Config> = {}): Config =>
  ({
    secret: 'a-secret',
    db: { name: 'none', defaultIDType: 'number', init: () => ({}) },
    custom: { own: 1 },
    collections: [...accounts, orders, carts],
    globals: [{ slug: 'header', fields: [] }],
    endpoints: [{ path: '/own', method: 'get', handler: () => new Response() }],
    ...changes,
  }) as Config

const extend = async (config: Config, options: StoreConnectOptions = {}): Promise<Config> =>
  storeConnect(options)(config)

const collection = (config: Config, slug: string): CollectionConfig => {
  const found = config.collections?.find((each) => each.slug === slug)
  if (found === undefined) throw new Error(`There is no collection "${slug}".`)
  return found
}

const optionValues = (field: Field | undefined) =>
  field?.type === 'select'
    ? field.options.map((option) => (typeof option === 'string' ? option : option.value))
    : []

const slugsOf = (config: Config) => config.collections?.map(({ slug }) => slug)

describe('storeConnect() on a config', () => {
  it('adds its collections behind those of the store, and its globals', async () => {
    const config = await extend(aConfig())
    expect(slugsOf(config)?.slice(0, 4)).toEqual(['staff', 'customers', 'orders', 'carts'])
    expect(slugsOf(config)).toContain('sites')
    expect(slugsOf(config)?.length).toBe(new Set(slugsOf(config)).size)
    expect(config.globals?.map(({ slug }) => slug)).toEqual([
      'header',
      'storeconnect',
      'shipping-settings',
      'marketing-settings',
      'alert-settings',
    ])
  })

  it('shows other plugins its options, and takes what they change before it runs', async () => {
    const given = { timezone: 'Europe/Berlin' }
    const plugins = [storeConnect(given)]
    const seen: unknown[] = []
    const other = definePlugin({
      slug: 'other',
      plugin({ config, plugins: { 'payload-storeconnect': ours } }) {
        seen.push(ours?.options.timezone)
        if (ours) ours.options.enabled = false
        return config
      },
    })
    let config = aConfig({ plugins })
    for (const plugin of [other(), ...plugins]) config = await plugin(config)
    expect(seen).toEqual(['Europe/Berlin'])
    expect(config.custom).toEqual({ own: 1 })
    expect(given).toEqual({ timezone: 'Europe/Berlin' })
  })

  it('keeps no versions of what is its own', async () => {
    const given = aConfig()
    const config = await extend(given)
    const stores = [...(slugsOf(given) ?? []), 'header']
    const own = [...(config.collections ?? []), ...(config.globals ?? [])].filter(
      ({ slug }) => !stores.includes(slug),
    )
    expect(own.length).toBeGreaterThan(8)
    expect(own.filter(({ versions }) => versions !== false).map(({ slug }) => slug)).toEqual([])
  })

  it('adds the fields that orders, their lines and carts lack', async () => {
    const config = await extend(aConfig())
    const inOrders = collection(config, 'orders').fields
    for (const path of [
      'number',
      'reference',
      'site',
      'billingAddress.street',
      'shippingAmount',
      'taxAmount',
      'discountAmount',
      'discountCode',
      'shippingMethod',
      'customerNotes',
      'internalNotes',
      'gift',
      'giftMessage',
      'tracking.trackingNumber',
      'items.sku',
      'items.unitPrice',
      'items.weight',
      'items.options.value',
    ]) {
      expect({ path, field: findField(inOrders, path) }).toMatchObject({
        path,
        field: { name: expect.any(String) as string },
      })
    }
    const inCarts = collection(config, 'carts').fields
    for (const path of ['number', 'site', 'billingAddress', 'shippingAmount', 'gift']) {
      expect(findField(inCarts, path)).toBeDefined()
    }
    expect(findField(inCarts, 'reference')).toBeUndefined()
    expect(findField(inCarts, 'internalNotes')).toBeUndefined()
  })

  it('adds the status "shipped" behind those of the store, wherever the field is, unless there is one', async () => {
    const statusOf = async (...changed: CollectionConfig[]) => {
      const config = await extend(aConfig(changed.length > 0 ? { collections: changed } : {}))
      return findField(collection(config, 'orders').fields, 'status')
    }
    const added = await statusOf()
    expect(optionValues(added)).toEqual(['processing', 'refunded', 'shipped'])
    expect(added).toMatchObject({ defaultValue: 'processing' })
    for (const option of ['shipped', { label: 'On its way', value: 'shipped' }]) {
      const status: Field = { name: 'status', type: 'select', options: ['new', option] }
      const [staff] = accounts
      expect(await statusOf(staff!, { slug: 'orders', fields: [status] })).toEqual(status)
    }
  })

  it("keeps what is the store's, runs its hooks first, and changes nothing of the config it is given", async () => {
    const translations = { en: { storeconnect: { reference: 'Our number' }, own: { a: 'A' } } }
    const given = deepFreeze(aConfig({ i18n: { translations } }))
    const config = await extend(given)
    const { hooks, access, endpoints, admin, fields } = collection(config, 'orders')
    expect({ access, endpoints }).toEqual({ access: orders.access, endpoints: orders.endpoints })
    expect(admin).toMatchObject({ group: 'Shop' })
    for (const name of ['beforeValidate', 'beforeDelete', 'afterChange'] as const) {
      expect(hooks?.[name]?.[0]).toBe(storeHook)
    }
    expect(collection(config, 'carts').hooks?.beforeChange?.[0]).toBe(storeHook)
    expect(fields.filter((field) => 'name' in field && field.name === 'giftMessage')).toEqual([
      { name: 'giftMessage', type: 'text', label: 'The store had this before' },
    ])
    expect(config.endpoints?.[0]).toBe(given.endpoints?.[0])
    expect(config.custom).toMatchObject({ own: 1 })
    expect(config.i18n?.translations).toMatchObject({
      en: { storeconnect: { reference: 'Our number', tracking: 'Tracking' }, own: { a: 'A' } },
    })
    expect(collection(config, 'staff')).toBe(collection(given, 'staff'))
    // Run again, and switched off, it makes the same schema.
    for (const options of [{}, { enabled: false }]) {
      const again = await extend(given, deepFreeze<StoreConnectOptions>(options))
      const slugs = ({ globals }: Config) => globals?.map(({ slug }) => slug)
      expect([slugsOf(again), slugs(again)]).toEqual([slugsOf(config), slugs(config)])
      for (const slug of ['orders', 'carts']) {
        const [own, others] = [again, config].map((each) => collection(each, slug).fields)
        expect(JSON.stringify(own)).toBe(JSON.stringify(others))
        // Rows that are there already have no value for what is added.
        expect(JSON.stringify(own)).not.toContain('"required":true')
      }
    }
  })

  it('uses the sites collection that the store has, and hears of its changes', async () => {
    const fields: Field[] = [{ name: 'baseUrl', type: 'text' }]
    const sites = { slug: 'sites', fields, hooks: { afterChange: [storeHook] } }
    const given = aConfig()
    const all = { ...given, collections: [...(given.collections ?? []), sites] }
    const found = (await extend(all)).collections?.filter(({ slug }) => slug === 'sites')
    expect(found).toMatchObject([{ slug: 'sites', fields }])
    expect(found?.[0]?.hooks?.afterChange).toEqual([storeHook, expect.any(Function)])
    expect(found?.[0]?.hooks?.afterDelete).toHaveLength(1)
    const disabled = (await extend(all, { enabled: false })).collections
    expect(disabled?.filter(({ slug }) => slug === 'sites')).toEqual([sites])
  })

  it('leaves a site field that holds something else to the store', async () => {
    const hooksOf = async (site: Field) => {
      const own = { ...carts, fields: [...carts.fields, site] }
      const config = await extend({ ...aConfig(), collections: [orders, own, ...accounts] })
      return collection(config, 'carts').hooks?.beforeValidate
    }
    const toSites = { name: 'site', type: 'relationship', relationTo: 'sites' } as const
    expect(await hooksOf(toSites)).toHaveLength(1)
    expect(await hooksOf({ ...toSites, hasMany: true })).toEqual([])
    expect(await hooksOf({ ...toSites, relationTo: 'staff' })).toEqual([])
    expect(await hooksOf({ name: 'site', type: 'text' })).toEqual([])
  })

  it('throws a TypeError at start-up when there is no orders collection', async () => {
    const none = aConfig({ collections: [{ slug: 'staff', auth: true, fields: [] }] })
    await expect(async () => extend(none)).rejects.toThrow(TypeError)
    await expect(async () => extend(none)).rejects.toThrow('there is no collection "orders"')
    const renamed = { collections: { orders: 'purchases' } }
    await expect(async () => extend(aConfig(), renamed)).rejects.toThrow('"purchases"')
  })

  it('lets the option isAdmin decide by the request alone, whatever document is read', async () => {
    const isAdmin = vi.fn(() => true)
    const config = await extend(aConfig(), { isAdmin })
    const req = { user: { id: 7 } } as unknown as PayloadRequest
    const { access } = collection(config, 'marketing-sends')
    expect(await access?.read?.({ req, id: 7, data: { id: 7 } })).toBe(true)
    expect(isAdmin.mock.calls).toEqual([[{ req }]])
  })

  describe('with customers and admins in one collection', () => {
    const shared = (fields: Field[]) =>
      aConfig({
        collections: [{ slug: 'customers', auth: true, fields }, orders, carts],
      })

    it('starts with roles that distinguish them, or the option isAdmin, and else throws a TypeError', async () => {
      await expect(async () => extend(shared([]))).rejects.toThrow(TypeError)
      await expect(async () => extend(shared([]))).rejects.toThrow('isAdmin')
      for (const name of ['role', 'roles']) {
        const field = { name, type: 'select', hasMany: true, options: ['admin'] } as Field
        await expect(extend(shared([{ type: 'row', fields: [field] }]))).resolves.toBeDefined()
      }
      await expect(extend(shared([]), { isAdmin: () => false })).resolves.toBeDefined()
    })

    it('takes the collection the admin names, not the first', async () => {
      const config = aConfig({ admin: { user: 'customers' } })
      await expect(async () => extend(config)).rejects.toThrow('"customers"')
    })
  })

  it('leaves the list of schema hooks alone that the store gave its database adapter', async () => {
    const ownHook = ({ schema }: { schema: unknown }) => schema
    const beforeSchemaInit = Object.freeze([ownHook])
    const adapter = { beforeSchemaInit }
    const config = await extend(
      aConfig({ db: { name: 'sqlite', init: () => adapter } } as unknown as Partial<Config>),
    )
    const made = config.db.init({} as never) as unknown as typeof adapter
    expect(beforeSchemaInit).toEqual([ownHook])
    expect(made.beforeSchemaInit.length).toBeGreaterThan(1)
    expect(made.beforeSchemaInit[0]).toBe(ownHook)
  })
})

describe.each(databaseKinds)('storeConnect() in a store (%s)', (kind) => {
  const itOnce = itOnceOn(kind)
  const stores: TestStore[] = []
  afterEach(async () => {
    for (const store of stores.splice(0).reverse()) await store.close()
  })
  const open = async (setup: Parameters<typeof openStore>[1] = {}) => {
    const store = await openStore(kind, setup)
    stores.push(store)
    return store
  }

  it("runs the store's onInit first, and once, and leaves its own endpoints, and routes that nobody has", async () => {
    const seen: string[] = []
    const store = await open({
      config: {
        onInit: (payload) => void seen.push(payload.db.name),
        endpoints: [{ path: '/own', method: 'get', handler: () => new Response('own') }],
      },
    })
    expect(seen).toEqual([kind])
    expect((await store.handle(exportRequest())).status).toBe(200)
    const ask = (path: string) => store.api(new Request(`https://shop.example/api/${path}`))
    expect(await (await ask('own')).text()).toBe('own')
    expect((await ask('nobodys')).status).toBe(404)
  })

  itOnce("runs the store's own hooks of orders beside its own", async () => {
    const seen: unknown[] = []
    const { payload } = await open({
      orderHooks: {
        beforeValidate: [
          ({ data }) => {
            seen.push((data as { reference?: string }).reference)
            return { ...data, customerNotes: 'of the store' }
          },
        ],
        afterChange: [({ doc }) => void seen.push((doc as { reference?: string }).reference)],
      },
    })
    const order = await saveOrder(payload)
    expect(seen).toEqual([undefined, order.reference])
    expect(order).toMatchObject({ customerNotes: 'of the store' })
  })

  it('has an index over time of change and id, which Payload itself cannot express', async () => {
    const { payload } = await open()
    const { drizzle } = payload.db as unknown as {
      drizzle: {
        all(query: unknown): Promise<{ sql: string }[]>
        execute(query: unknown): Promise<{ rows: { sql: string }[] }>
      }
    }
    const rows =
      kind === 'sqlite'
        ? await drizzle.all(
            sql`select sql from sqlite_master where name = 'orders_updated_at_id_idx'`,
          )
        : (
            await drizzle.execute(
              sql`select indexdef as sql from pg_indexes where indexname = 'orders_updated_at_id_idx'`,
            )
          ).rows
    expect(rows).toHaveLength(1)
    expect(rows[0]?.sql).toMatch(/\([`"]?updated_at[`"]?, ?[`"]?id[`"]?\)/)
  })

  itOnce('has no doors and no hooks when it is not enabled, and the same schema', async () => {
    const { payload, handle } = await open({ options: { enabled: false } })
    const order = await payload.create({ collection: 'orders', data: anOrder() })
    expect(order).toMatchObject({ status: 'processing' })
    expect((order as { reference?: unknown }).reference ?? null).toBeNull()
    expect((order as { number?: unknown }).number ?? null).toBeNull()
    const shipped = { status: 'shipped', reference: 'BY-HAND' }
    const updated = await payload.update({ collection: 'orders', id: order.id, data: shipped })
    expect(updated).toMatchObject(shipped)
    expect((await handle(exportRequest())).status).toBe(404)
  })
})
