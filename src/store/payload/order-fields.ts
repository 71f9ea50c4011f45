import type { Field, TextField } from 'payload'
import type { ResolvedOptions } from '../../options/resolve-options.js'
import { adminsOnlyField, type IsAdmin } from './admin-access.js'
import { rememberRead } from './changes-only.js'
import { amountField, type AmountParts } from './amount-field.js'
import { findField } from './field-search.js'
import { label } from './label.js'
import { loadedState } from './loaded-state.js'
import { noticesSlug } from './notice-collection.js'
import { savingSinceField } from './save-mark.js'

/**
 * What the extension's orders and carts lack. Nothing is required, so that existing rows need no
 * value when the fields arrive.
 */
export function orderFields(existing: readonly Field[], parts: FieldParts): Field[] {
  const { options, isAdmin } = parts
  const { fields } = options
  return [
    { ...numberField(fields.number), index: true },
    {
      name: fields.reference,
      type: 'text',
      label: label('reference'),
      unique: true,
      admin: { position: 'sidebar', description: label('referenceDescription') },
      // A copy is an order of its own.
      hooks: { beforeDuplicate: [() => null] },
    },
    siteField(options),
    { ...ownField, name: statusChangesField, type: 'json' },
    { ...ownField, name: savingSinceField, type: 'text' },
    loadedState(options),
    {
      name: fields.tracking,
      type: 'array',
      label: label('tracking'),
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
    },
    {
      name: 'shipments',
      type: 'join',
      collection: noticesSlug,
      on: 'order',
      label: label('shipments'),
      admin: {
        allowCreate: false,
        defaultColumns: ['carrier', 'service', 'trackingNumber', 'shipDate'],
      },
    },
    billingAddressField(existing, options),
    amountFields(parts, {}),
    {
      type: 'collapsible',
      label: label('notes'),
      fields: [
        ...shopperFields(options),
        {
          name: fields.internalNotes,
          type: 'textarea',
          label: label('internalNotes'),
          access: { read: adminsOnlyField(isAdmin) },
        },
      ],
    },
  ]
}

/** Carts carry the same things, so that the order can take them over. */
export function cartFields(existing: readonly Field[], parts: FieldParts): Field[] {
  const { options, isAdmin } = parts
  return [
    { ...numberField(options.fields.number), index: true },
    siteField(options),
    { ...ownField, name: toldStateField, type: 'text' },
    billingAddressField(existing, options),
    // A shopper may change the own cart, but not what it costs.
    amountFields(parts, closedToShoppers(isAdmin)),
    { type: 'collapsible', label: label('notes'), fields: shopperFields(options) },
  ]
}

/** Which status an order entered when: what has happened is saved with the change itself. */
export const statusChangesField = 'statusChanges'

/** A digest of what the marketing platform was last told of a cart. */
export const toldStateField = 'toldState'

/** A digest of what a cart held when a payment for it was begun; blank: nothing is told of it. */
export const checkoutStateField = 'checkoutState'

/** What transactions get. */
export const transactionFields = (): Field[] => [
  { ...ownField, name: checkoutStateField, type: 'text' },
]

/** A digest of what the marketing platform was last told of an account. */
export const toldProfileField = 'toldProfile'

/** What the customers' accounts get. */
export const customerFields = (): Field[] => [{ ...ownField, name: toldProfileField, type: 'text' }]

// The shop's own notes: nobody reads or writes them through the API, and a copy begins without.
const ownField = {
  access: { create: () => false, read: () => false, update: () => false },
  admin: { hidden: true },
  hooks: { beforeChange: [rememberRead], beforeDuplicate: [() => null] },
}

export interface FieldParts {
  options: ResolvedOptions
  isAdmin: IsAdmin
  amounts: AmountParts
}

const ownNumbers = 'numbers of Storeconnect'

/** Whether orders have the number that Storeconnect makes, and not one of the store's own. */
export function hasOurNumbers(
  fields: readonly Field[],
  { fields: { number } }: Pick<ResolvedOptions, 'fields'>,
): boolean {
  return findField(fields, number)?.custom?.storeconnect === ownNumbers
}

// Only the shop itself makes numbers: who could choose one could take over another's.
const numberField = (name: string): TextField => ({
  name,
  type: 'text',
  custom: { storeconnect: ownNumbers },
  label: label('number'),
  access: { create: () => false, update: () => false },
  admin: { position: 'sidebar', readOnly: true, description: label('numberDescription') },
  hooks: { beforeDuplicate: [() => null] },
})

const siteField = ({ fields, collections }: ResolvedOptions): Field => ({
  name: fields.site,
  type: 'relationship',
  relationTo: collections.sites,
  label: label('site'),
  admin: { position: 'sidebar' },
})

/** Whether the site's field holds one of the sites; a store's own may hold something else. */
export function holdsOneSite(
  existing: readonly Field[],
  { fields, collections }: ResolvedOptions,
): boolean {
  const site = findField(existing, fields.site)
  const isOfSites = site?.type === 'relationship' && site.relationTo === collections.sites
  return isOfSites && site.hasMany !== true
}

/** The same fields as the store's shipping address has. */
function billingAddressField(existing: readonly Field[], { fields }: ResolvedOptions): Field {
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
  [
    'title',
    'firstName',
    'lastName',
    'company',
    'addressLine1',
    'addressLine2',
    'city',
    'state',
    'postalCode',
    'country',
    'phone',
  ].map((name) => ({ name, type: 'text' }))

function amountFields(
  { options: { fields }, amounts }: FieldParts,
  closed: Pick<TextField, 'access'>,
): Field {
  const amount = (name: string, title: 'shippingAmount' | 'taxAmount' | 'discountAmount') =>
    amountField({ name, title, ...closed }, amounts)
  return {
    type: 'collapsible',
    label: label('amounts'),
    fields: [
      {
        type: 'row',
        fields: [
          amount(fields.shippingAmount, 'shippingAmount'),
          amount(fields.taxAmount, 'taxAmount'),
          amount(fields.discountAmount, 'discountAmount'),
        ],
      },
      {
        type: 'row',
        fields: [
          { name: fields.discountCode, type: 'text', label: label('discountCode'), ...closed },
          { name: fields.shippingMethod, type: 'text', label: label('shippingMethod'), ...closed },
        ],
      },
    ],
  }
}

const closedToShoppers = (isAdmin: IsAdmin) => ({
  access: { create: adminsOnlyField(isAdmin), update: adminsOnlyField(isAdmin) },
})

const shopperFields = ({ fields }: ResolvedOptions): Field[] => [
  { name: fields.customerNotes, type: 'textarea', label: label('customerNotes') },
  { name: fields.gift, type: 'checkbox', label: label('gift') },
  { name: fields.giftMessage, type: 'textarea', label: label('giftMessage') },
]
