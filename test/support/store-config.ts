import { ecommercePlugin } from '@payloadcms/plugin-ecommerce'
import type { PaymentAdapter } from '@payloadcms/plugin-ecommerce/types'
import {
  buildConfig,
  type CollectionConfig,
  type Config,
  type Field,
  type JoinField,
  type Plugin,
  type SanitizedConfig,
} from 'payload'
import { demoPayment } from '../../dev/payments/demo-payment.ts'
import type { Around } from '../../src/core/shop.js'
import { storeConnect } from '../../src/plugin.js'
import type { StoreConnectOptions } from '../../src/plugin/options.js'
import { bareConfig, type DatabaseKind } from './bare-config.js'
import { withFields } from './store-shapes.js'

export type { DatabaseKind } from './bare-config.js'

export interface StoreSetup {
  kind: DatabaseKind
  /** A file's path, or a PostgreSQL connection string. */
  url: string
  /** Of all collections; the template database has numbers. */
  idType?: 'uuid'
  options?: StoreConnectOptions
  /** Its own time, randomness and network; what is left out is real. */
  effects?: Partial<Around>
  /** Further parts of the store's own orders. The template database lacks the tables of its fields. */
  orders?: StoredOrders
  /** Versions of other collections. The template database lacks their tables. */
  versions?: Partial<Record<string, CollectionConfig['versions']>>
  /** Hooks of the store's own orders. */
  orderHooks?: CollectionConfig['hooks']
  /** Whether the store's own users have the join that `EcommerceProvider` reads. */
  userCart?: boolean
  /** Who of the store's own users may enter the admin. */
  userAccess?: CollectionConfig['access']
  /** Whether the store's own users go to the trash first. The template database lacks the column. */
  userTrash?: boolean
  /** Further collections of the store's own. The template database lacks their tables. */
  collections?: CollectionConfig[]
  /** How the store's own users log in. The template database has the columns of `verify` too. */
  userAuth?: CollectionConfig['auth']
  config?: Partial<Config>
  /** What its payment methods do. Default: as that of the demo. */
  payment?: Pick<PaymentAdapter, 'initiatePayment' | 'confirmOrder'>
  /** A copy of the plugin, to see what it loads. */
  connect?: typeof storeConnect
}

type StoredOrders = Pick<CollectionConfig, 'fields' | 'versions'>

/** Of the template databases. */
export const templateConfig = (kind: DatabaseKind, url: string): Promise<SanitizedConfig> =>
  storeConfig({ kind, url, userAuth: { verify: true } })

/** The shipping settings of every test store; a test states what it changes. */
export const testCredentials = { username: 'ship', password: 'secret:ü' }

/**
 * A small store: the extension, Storeconnect, a `warehouse` dropdown that tells stores apart and a
 * blocks field that could hold tracking entries.
 */
export function storeConfig(setup: StoreSetup): Promise<SanitizedConfig> {
  const { kind, url, idType, orderHooks = {}, config = {} } = setup
  const { userCart = false, userAccess, userAuth = true, userTrash } = setup
  const { fields: orderFields = [], ...orders }: Partial<StoredOrders> = setup.orders ?? {}
  return buildConfig({
    ...bareConfig({ kind, url, idType }),
    ...config,
    collections: [
      {
        slug: 'users',
        auth: userAuth,
        ...(userAccess && { access: userAccess }),
        ...(userTrash && { trash: true }),
        versions: false,
        fields: [
          {
            name: 'roles',
            type: 'select',
            hasMany: true,
            options: ['admin', 'editor', 'customer'],
          },
          { name: 'phone', type: 'text' },
          ...(userCart ? [cartJoin] : []),
        ],
      },
      ...(setup.collections ?? []),
    ],
    plugins: [
      ecommercePlugin({
        access: {
          adminOnlyFieldAccess: ({ req }) => isAdmin(req.user),
          adminOrPublishedStatus: () => true,
          isAdmin: ({ req }) => isAdmin(req.user),
          isAuthenticated: ({ req }) => Boolean(req.user),
          isCustomer: ({ req }) => Boolean(req.user) && !isAdmin(req.user),
          isDocumentOwner: ({ req }) => (req.user ? { customer: { equals: req.user.id } } : false),
        },
        customers: { slug: 'users' },
        currencies: {
          defaultCurrency: 'USD',
          supportedCurrencies: [
            { code: 'USD', decimals: 2, label: 'US Dollar', symbol: '$' },
            { code: 'JPY', decimals: 0, label: 'Yen', symbol: '¥' },
            { code: 'KWD', decimals: 3, label: 'Kuwaiti Dinar', symbol: 'KD' },
          ],
        },
        products: {
          productsCollectionOverride: withFields(productFields()),
          variants: { variantsCollectionOverride: withFields([{ name: 'sku', type: 'text' }]) },
        },
        carts: { allowGuestCarts: true },
        payments: {
          paymentMethods: ['invoice', 'demo'].map((name) => ({
            name,
            label: name,
            group: { name, type: 'group', fields: [{ name: 'note', type: 'text' }] },
            ...(setup.payment ?? demo),
          })),
        },
        orders: {
          ordersCollectionOverride: ({ defaultCollection }) => ({
            ...defaultCollection,
            ...orders,
            trash: true,
            hooks: { ...defaultCollection.hooks, ...orderHooks },
            fields: [
              ...(orders.versions
                ? defaultCollection.fields.map((field) => besideDrafts(field))
                : defaultCollection.fields),
              { name: 'warehouse', type: 'select', options: ['berlin', 'portland'] },
              { name: 'reason', type: 'text' },
              {
                name: 'parcels',
                type: 'blocks',
                blocks: [
                  {
                    slug: 'shipment',
                    fields: ['carrier', 'service', 'trackingNumber'].map((name) => ({
                      name,
                      type: 'text',
                    })),
                  },
                  { slug: 'remark', fields: [{ name: 'text', type: 'text' }] },
                ],
              },
              ...orderFields,
            ],
          }),
        },
      }),
      withVersions(setup.versions),
      connected(setup),
    ],
  })
}

function connected({ connect = storeConnect, options = {}, effects }: StoreSetup): Plugin {
  const { marketing, shipping } = options
  return connect(
    {
      ...options,
      // A test that wants sends delivered says so.
      marketing: marketing !== false && { delivery: 'task', ...marketing },
      shipping: shipping !== false && {
        ...shipping,
        settings: { ...testCredentials, ...shipping?.settings },
      },
    },
    effects,
  )
}

const withVersions =
  (versions: StoreSetup['versions'] = {}): Plugin =>
  (config) => ({
    ...config,
    collections: (config.collections ?? []).map((collection) => {
      const { slug, fields } = collection
      const own = versions[slug]
      return own === undefined
        ? collection
        : {
            ...collection,
            versions: own,
            fields: own ? fields.map((field) => besideDrafts(field, `${slug}_states`)) : fields,
          }
    }),
  })

/** On PostgreSQL the type of its values would have the name of that of Payload's `_status`. */
export const besideDrafts = (field: Field, enumName = 'order_states'): Field =>
  field.type === 'select' && field.name === 'status' ? { ...field, enumName } : field

const { initiatePayment, confirmOrder } = demoPayment()
const demo = { initiatePayment, confirmOrder }

/** As the extension's documentation has stores add it. */
const cartJoin: JoinField = { name: 'cart', type: 'join', collection: 'carts', on: 'customer' }

// New ones for each store: a store without languages takes them from the fields.
const productFields = (): CollectionConfig['fields'] => [
  { name: 'title', type: 'text', localized: true },
  { name: 'sku', type: 'text' },
  { name: 'weight', type: 'number' },
  { name: 'weightUnit', type: 'text' },
  { name: 'image', type: 'text' },
  { name: 'brand', type: 'text' },
  { name: 'categories', type: 'text', hasMany: true },
  { name: 'compareAtPriceInUSD', type: 'number' },
]

const isAdmin = (user: unknown): boolean =>
  ((user as { roles?: string[] } | null)?.roles ?? []).includes('admin')
