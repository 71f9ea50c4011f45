import type { BasePayload, Collection, Field, TextField } from 'payload'
import type { ShopNames } from '../../core/shop-names.js'
import type { Products, ShopOptions } from '../../core/shop.js'
import type { IsAdmin } from '../../core/payload/admin-access.js'
import { rememberRead } from './changes-only.js'
import { amountField, type AmountCurrencies } from './amount-field.js'
import type { OrderOptions } from './order-options.js'
import { dimensionUnits, orderFieldRows, weightUnits } from './order.js'
import { addressParts } from './order-values.js'
import { findField } from '../../core/payload/field-search.js'
import { label, labels } from '../../core/payload/label.js'
import { loadedState } from './loaded-state.js'
import { savingSinceField } from './save-mark.js'

/** The fields that Storeconnect adds to orders. None is required, as existing orders have no values for them. */
export function orderFields(existing: readonly Field[], setup: FieldSetup): Field[] {
  const { options } = setup
  const { fields } = options
  return [
    numberField(fields.number),
    {
      name: fields.reference,
      type: 'text',
      label: label('reference'),
      unique: true,
      admin: { position: 'sidebar', description: label('referenceDescription') },
      // A copied order gets a reference of its own.
      hooks: { beforeDuplicate: [() => null] },
    },
    siteField(options),
    { ...ownNote, name: statusChangesField, type: 'json' },
    { ...ownNote, name: savingSinceField, type: 'text' },
    { ...ownNote, name: personErasedField, type: 'text' },
    { ...ownNote, name: restoredAtField, type: 'text' },
    loadedState,
    ...(options.products.shipping ? [trackingField(fields.tracking)] : []),
    billingAddressField(existing, options),
    ...tableFields(orderFieldRows, setup),
  ]
}

const trackingField = (name: string): Field => ({
  name,
  type: 'array',
  label: label('tracking'),
  labels: labels('tracking', 'tracking'),
  maxRows: 1,
  fields: [
    {
      type: 'row',
      fields: [
        { name: 'carrier', type: 'text', label: label('carrier') },
        { name: 'service', type: 'text', label: label('service') },
        { name: 'trackingNumber', type: 'text', label: label('trackingNumber') },
      ],
    },
  ],
})

/** The fields of an order's line that hold the snapshot of its product. */
/** The column that says how an order stands at ShipStation. A shop without ShipStation has none. */
export const standingColumn = 'storeconnectStanding'

export const itemFields = (
  amounts: AmountCurrencies,
  { shipping, marketing }: Products,
): Field[] => [
  { name: 'name', type: 'text', label: label('itemName') },
  { name: 'sku', type: 'text', label: label('sku') },
  amountField('unitPrice', 'unitPrice', amounts),
  ...(shipping ? parcelFields() : []),
  { name: 'imageUrl', type: 'text', label: label('imageUrl') },
  ...(marketing ? eventFields() : []),
  {
    name: 'options',
    type: 'array',
    label: label('options'),
    labels: labels('option', 'options'),
    fields: [
      {
        type: 'row',
        fields: [
          { name: 'name', type: 'text', label: label('optionName') },
          { name: 'value', type: 'text', label: label('optionValue') },
        ],
      },
    ],
  },
]

/** What a parcel's size and weight follow from, and where its things lie. */
const parcelFields = (): Field[] => [
  { name: 'weight', type: 'number', label: label('weight'), min: 0 },
  { name: 'weightUnit', type: 'select', label: label('weightUnit'), options: [...weightUnits] },
  {
    type: 'row',
    fields: [
      { name: 'itemLength', type: 'number', label: label('itemLength'), min: 0 },
      { name: 'itemWidth', type: 'number', label: label('itemWidth'), min: 0 },
      { name: 'itemHeight', type: 'number', label: label('itemHeight'), min: 0 },
      {
        name: 'dimensionUnit',
        type: 'select',
        label: label('dimensionUnit'),
        options: [...dimensionUnits],
      },
    ],
  },
  { name: 'location', type: 'text', label: label('location') },
]

/** Only for events, so they are hidden: the link to the product's page, and what people are chosen by. */
const eventFields = (): Field[] => [
  { name: 'slug', type: 'text', admin: { hidden: true } },
  { name: 'brand', type: 'text', admin: { hidden: true } },
  { name: 'categories', type: 'json', admin: { hidden: true } },
]

/** The fields that Storeconnect adds to carts, so that an order can copy their values. */
export function cartFields(existing: readonly Field[], setup: FieldSetup): Field[] {
  const { options, isAdmin } = setup
  const rows = orderFieldRows.filter(([, { isOnCarts }]) => isOnCarts)
  // Shoppers may change their own cart, but not what it costs.
  const closed = { create: isAdmin, update: isAdmin }
  return [
    numberField(options.fields.number),
    siteField(options),
    ...[restoredAtField, sharedAtField].map((name): Field => ({ ...ownNote, name, type: 'text' })),
    { ...ownNote, name: mergedNumbersField, type: 'text', hasMany: true, index: true },
    billingAddressField(existing, options),
    ...tableFields(rows, setup, closed),
  ]
}

/** The status history of an order, saved in the same write as the status itself. */
export const statusChangesField = 'statusChanges'

/** Says what the erasure of its person did with the order: `kept` or `anonymised`. */
export const personErasedField = 'personErased'

/** Digests of the emails of the deleted account whose document it was, by which an erasure finds it. */
export const formerCustomerField = 'formerCustomer'

/** The number that ShipStation has of the order, where that is not its reference. */
export const exportedAsField = 'exportedAs'

/** When the link in a mail put the cart back, for the first time. Its order keeps it. */
export const restoredAtField = 'restoredAt'

/** What a payment's lines were when it began: name, price and all that their order keeps of them. */
export const paidLinesField = 'paidLines'

/** When somebody else first had a guest's cart: another session by its link, or an account that took it over. */
export const sharedAtField = 'sharedAt'

/** The numbers of the carts that were merged into this one: their links lead here. */
export const mergedNumbersField = 'mergedNumbers'

/** A digest of what was last sent about a cart. */
export const sentStateField = 'sentState'

/** The transaction's digest of the cart when payment began. Blank when the checkout must not be sent. */
export const checkoutStateField = 'checkoutState'

/** Who the visitor of a guest's cart is to Klaviyo. Only a visitor who has consented has one. */
export const exchangeIdField = 'exchangeId'

/** The answers of the checkout, on carts and orders. Storeconnect writes it; nobody can change it. */
export const consentField = 'consent'

/** Whether the field `consent` is Storeconnect's, and not one of the store's own. */
export const hasConsentField = (fields: readonly Field[]): boolean =>
  findField(fields, `${consentField}.email.given`) !== undefined &&
  findField(fields, `${consentField}.sms.phone`) !== undefined

/** The carts' fields for who gave the consent; an order keeps the address. No API reads or writes them. */
export const giverFields = { session: 'consentSession', email: 'consentEmail' } as const

export const cartNotes: readonly string[] = [
  sentStateField,
  exchangeIdField,
  restoredAtField,
  sharedAtField,
  mergedNumbersField,
]

/** For Storeconnect's own notes: the API neither reads nor writes them, and a copy starts without them. */
export const ownNote = {
  access: { create: () => false, read: () => false, update: () => false },
  admin: { hidden: true },
  hooks: { beforeChange: [rememberRead], beforeDuplicate: [() => null] },
}

/** The fields that orders have in the end, with those of all plugins. */
export const fieldsOfOrders = (
  { collections: all }: Pick<BasePayload, 'collections'>,
  { collections }: Pick<ShopNames, 'collections'>,
): readonly Field[] => all[collections.orders]?.config.fields ?? []

interface FieldSetup {
  options: ShopOptions
  isAdmin: IsAdmin
  amounts: AmountCurrencies
}

const madeByStoreconnect = 'numbers of Storeconnect'

/** Whether an order may be identified by any text, because the store makes its own numbers or text ids. */
export function hasOwnNumbers(
  orders: Collection | undefined,
  { fields: { number } }: Pick<ShopNames, 'fields'>,
  { map }: OrderOptions,
): boolean {
  const numbers: unknown = findField(orders?.config.fields ?? [], number)?.custom?.storeconnect
  return map !== undefined || orders?.customIDType === 'text' || numbers !== madeByStoreconnect
}

// Only the shop makes numbers: a client that could choose a number could claim another cart's.
const numberField = (name: string): TextField => ({
  name,
  type: 'text',
  index: true,
  custom: { storeconnect: madeByStoreconnect },
  label: label('number'),
  access: { create: () => false, update: () => false },
  admin: { position: 'sidebar', readOnly: true, description: label('numberDescription') },
  hooks: { beforeDuplicate: [() => null] },
})

const siteField = ({ fields, collections }: ShopNames): Field => ({
  name: fields.site,
  type: 'relationship',
  relationTo: collections.sites,
  label: label('site'),
  admin: { position: 'sidebar' },
})

/** Whether the site field relates to one site; a field of the store's own may hold something else. */
export function hasOneSite(
  existing: readonly Field[],
  { fields, collections }: ShopNames,
): boolean {
  const site = findField(existing, fields.site)
  const isOfSites = site?.type === 'relationship' && site.relationTo === collections.sites
  return isOfSites && site.hasMany !== true
}

/** Has the same fields as the store's shipping address. */
function billingAddressField(existing: readonly Field[], { fields }: ShopNames): Field {
  const shippingAddress = findField(existing, fields.shippingAddress)
  const parts =
    shippingAddress && 'fields' in shippingAddress ? shippingAddress.fields : addressFields()
  return {
    type: 'collapsible',
    label: label('billingAddress'),
    admin: { initCollapsed: true },
    fields: [{ name: fields.billingAddress, type: 'group', label: false, fields: parts }],
  }
}

const addressFields = (): Field[] =>
  ['title', ...Object.values(addressParts)].map((name) => ({
    name,
    type: 'text',
    label: addressLabel(name),
  }))

/** The extension's own text, such as `addressCity`. */
const addressLabel = (name: string) => {
  const key = name.replace(/^(?!address)[a-z]/, (first) => `address${first.toUpperCase()}`)
  return ({ t }: { t: (key: never) => string }) => t(`plugin-ecommerce:${key}` as never)
}

type Row = (typeof orderFieldRows)[number]

/** The amounts in a row, with their texts in a row below, and the notes. */
function tableFields(
  all: readonly Row[],
  setup: FieldSetup,
  amountAccess?: TextField['access'],
): Field[] {
  const { products } = setup.options
  const rows = all.filter(([, { isOf }]) => isOf === undefined || products[isOf])
  const amounts = rows.filter(([, { group }]) => group === 'amounts')
  const notes = rows.filter(([, { group }]) => group === 'notes')
  const rowOf = (isAmount: boolean): Field => ({
    type: 'row',
    fields: amounts
      .filter(([, { type }]) => (type === 'amount') === isAmount)
      .map((row) => fieldOf(row, setup, amountAccess)),
  })
  return [
    { type: 'collapsible', label: label('amounts'), fields: [rowOf(true), rowOf(false)] },
    {
      type: 'collapsible',
      label: label('notes'),
      fields: notes.map((row) => fieldOf(row, setup)),
    },
  ]
}

function fieldOf(
  [title, { type, isInternal }]: Row,
  { options, amounts, isAdmin }: FieldSetup,
  closed?: TextField['access'],
): Field {
  const name = options.fields[title]
  const access = isInternal ? { read: isAdmin } : closed
  const field =
    type === 'amount' ? amountField(name, title, amounts) : { name, type, label: label(title) }
  return { ...field, ...(access && { access }) } as Field
}
