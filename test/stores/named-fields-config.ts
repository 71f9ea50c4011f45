import { ecommercePlugin } from '@payloadcms/plugin-ecommerce'
import { buildConfig, type Config, type Field, type FieldHook, type SanitizedConfig } from 'payload'
import { demoPayment } from '../../dev/payments/demo-payment.ts'
import { storeConnect } from '../../src/plugin.js'
import type { StoreConnectOptions } from '../../src/types.js'
import { bareConfig, type DatabaseKind } from '../support/bare-config.js'
import { testCredentials } from '../support/store-config.js'
import { openToUsers, withFields } from '../support/store-shapes.js'

const text = (name: string): Field => ({ name, type: 'text' })

/** A relation whose title is in two languages. */
const methodFields: Field[] = [
  text('title'),
  { name: 'label', type: 'text', localized: true },
  { name: 'price', type: 'number' },
  { name: 'isGift', type: 'checkbox' },
]

const toMethod = { type: 'relationship', relationTo: 'methods' } as const

/** Fields of every kind that Payload has. */
const everyKind: Field[] = [
  text('aText'),
  { name: 'aTextarea', type: 'textarea' },
  { name: 'anEmail', type: 'email' },
  { name: 'aCode', type: 'code' },
  { name: 'aNumber', type: 'number' },
  { name: 'aSelect', type: 'select', options: ['one', 'two'], enumName: 'choices_of_ours' },
  { name: 'aRadio', type: 'radio', options: ['one', 'two'] },
  { name: 'aCheckbox', type: 'checkbox' },
  { name: 'aDate', type: 'date' },
  { name: 'aJson', type: 'json' },
  { name: 'aRichText', type: 'richText', editor: plainEditor() },
  { name: 'aJoin', type: 'join', collection: 'remarks', on: 'about' },
  { name: 'aVirtual', type: 'text', virtual: true },
  { name: 'aVirtualPath', type: 'text', virtual: 'method.title' },
  { name: 'texts', type: 'text', hasMany: true },
  { name: 'numbers', type: 'number', hasMany: true },
  { name: 'selects', type: 'select', hasMany: true, options: ['one', 'two'] },
  { name: 'wishes', type: 'text', localized: true },
  { name: 'localizedNumber', type: 'number', localized: true },
  { name: 'localizedBox', type: 'checkbox', localized: true },
  { name: 'method', ...toMethod },
  { name: 'localizedMethod', ...toMethod, localized: true },
  { name: 'methods', ...toMethod, hasMany: true },
  { name: 'either', type: 'relationship', relationTo: ['methods', 'remarks'] },
  { name: 'earlier', type: 'relationship', relationTo: 'purchases' },
  { name: 'file', type: 'upload', relationTo: 'files' },
  { name: 'details', type: 'group', fields: [text('note'), { name: 'ways', ...toMethod }] },
  { name: 'localizedDetails', type: 'group', localized: true, fields: [text('note')] },
  {
    type: 'tabs',
    tabs: [
      { name: 'aTab', fields: [text('note'), { name: 'code', type: 'text', unique: true }] },
      { label: 'Unnamed', fields: [text('inUnnamedTab')] },
    ],
  },
  { type: 'row', fields: [{ type: 'collapsible', label: 'More', fields: [text('inRow')] }] },
  {
    name: 'coupons',
    type: 'array',
    dbName: 'coupons_of_ours',
    fields: [
      text('code'),
      { name: 'label', type: 'text', localized: true },
      { name: 'amount', type: 'number' },
      { name: 'kind', ...toMethod },
      { name: 'kinds', ...toMethod, hasMany: true },
      { name: 'parts', type: 'array', fields: [text('code')] },
      { type: 'group', name: 'more', fields: [text('code')] },
    ],
  },
  { name: 'lists', type: 'array', localized: true, fields: [text('code')] },
  {
    name: 'grouped',
    type: 'group',
    fields: [{ name: 'rows', type: 'array', fields: [text('code')] }],
  },
  { name: 'blocks', type: 'blocks', blocks: [{ slug: 'note', fields: [text('code')] }] },
]

/** An editor that does nothing: the fields only have to exist. */
function plainEditor(): NonNullable<Extract<Field, { type: 'richText' }>['editor']> {
  const component = 'payload-storeconnect/client#AmountCell'
  return {
    CellComponent: component,
    FieldComponent: component,
    outputSchema: () => ({ type: 'object' }),
    validate: () => true,
  } as unknown as NonNullable<Extract<Field, { type: 'richText' }>['editor']>
}

/** Orders are numbered by the store itself, in a field of the type number. */
const count: FieldHook = async ({ value, operation, req }): Promise<unknown> => {
  if (operation !== 'create') return value
  const { totalDocs } = await req.payload.count({ collection: 'purchases', req })
  return 1001 + totalDocs
}

export interface NamedFieldsSetup {
  options?: StoreConnectOptions
  /** Undefined: as deep as Payload itself allows. */
  maxDepth?: number
  /** Whether it is on SQLite: a point needs an extension of PostgreSQL. */
  isPlain?: boolean
}

const point: Field = { name: 'aPoint', type: 'point' }

/**
 * A store whose orders have fields of every kind, under a slug and a table of their own. The options name some
 * of them.
 */
export const namedFieldsConfig = (
  kind: DatabaseKind,
  url: string,
  setup: NamedFieldsSetup = {},
): Promise<SanitizedConfig> =>
  buildConfig({
    // Each database with the ids that it has less often.
    ...bareConfig({ kind, url, idType: kind === 'postgres' ? 'uuid' : 'number' }),
    ...namedFieldsStore({ isPlain: kind === 'sqlite', ...setup }),
  })

export function namedFieldsStore({
  options = {},
  maxDepth,
  isPlain,
}: NamedFieldsSetup): Omit<Config, 'db' | 'secret'> {
  return {
    ...(maxDepth !== undefined && { maxDepth }),
    localization: { locales: ['en', 'de'], defaultLocale: 'en', fallback: true },
    collections: [
      {
        slug: 'users',
        auth: true,
        fields: [{ name: 'roles', type: 'select', options: ['admin'] }],
      },
      { slug: 'methods', dbName: 'ways_to_ship', fields: methodFields },
      {
        slug: 'remarks',
        fields: [{ name: 'about', type: 'relationship', relationTo: 'purchases' }, text('title')],
      },
      {
        slug: 'files',
        access: { read: () => true },
        upload: { disableLocalStorage: true },
        fields: [],
      },
      {
        slug: 'makers',
        access: { read: () => true },
        defaultPopulate: {},
        fields: [text('name')],
      },
    ],
    plugins: [
      ecommercePlugin({
        slugMap: { orders: 'purchases' },
        ...openToUsers,
        products: {
          productsCollectionOverride: withFields([...productKinds, ...(isPlain ? [point] : [])]),
        },
        carts: {
          allowGuestCarts: true,
          cartsCollectionOverride: withFields([
            { name: 'wishes', type: 'text', localized: true },
            { name: 'method', ...toMethod },
            {
              name: 'coupons',
              type: 'array',
              fields: [text('code'), { name: 'amount', type: 'number' }],
            },
          ]),
        },
        payments: { paymentMethods: [demoPayment()] },
        orders: {
          ordersCollectionOverride: withFields(
            [
              {
                name: 'orderNumber',
                type: 'number',
                unique: true,
                hooks: { beforeValidate: [count] },
              },
              ...everyKind,
              ...(isPlain ? [point] : []),
            ],
            { slug: 'purchases', dbName: 'purchases_of_ours' },
          ),
        },
      }),
      storeConnect({
        ...options,
        collections: { orders: 'purchases', ...options.collections },
        marketing: { delivery: 'task' },
        shipping: { settings: testCredentials },
      }),
    ],
  }
}

const productKinds: Field[] = [
  text('title'),
  { name: 'aNumber', type: 'number' },
  { name: 'aSelect', type: 'select', options: ['g', 'kg'] },
  { name: 'aJson', type: 'json' },
  { name: 'aVirtual', type: 'text', virtual: true, hooks: { afterRead: [() => 'Made up'] } },
  { name: 'texts', type: 'text', hasMany: true },
  { name: 'localizedText', type: 'text', localized: true },
  { name: 'maker', type: 'relationship', relationTo: 'makers', maxDepth: 0 },
  { name: 'makers', type: 'relationship', relationTo: 'makers', hasMany: true },
  { name: 'either', type: 'relationship', relationTo: ['makers', 'methods'] },
  { name: 'picture', type: 'upload', relationTo: 'files' },
  { name: 'pictures', type: 'upload', relationTo: 'files', hasMany: true },
  {
    name: 'gallery',
    type: 'array',
    fields: [{ name: 'image', type: 'upload', relationTo: 'files' }, text('code')],
  },
  { name: 'blocks', type: 'blocks', blocks: [{ slug: 'note', fields: [text('code')] }] },
]
