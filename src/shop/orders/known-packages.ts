import type { Field } from 'payload'
import { findField } from '../../core/payload/field-search.js'
import type { FieldNames, OrderFieldName, ShopNames } from '../../core/shop-names.js'
import { defaultFields, defaultProductFields } from './order-options.js'

type ValueName = OrderFieldName | 'reference' | 'refundedQuantity' | 'weight'

interface KnownPackage {
  name: string
  /** Some of its fields of orders or products: together they tell it from a store's own of the same names. */
  knownBy: readonly string[]
  /** Where it keeps the values of these options. */
  values: Readonly<Partial<Record<ValueName, string>>>
  /** It makes them when an order is made, which takes them over. Else its fields stand for Storeconnect's own. */
  isTaken?: true
}

/** The weight of a product in grams, which `payload-shipping-classes` makes of the one that was typed. */
export const weightInGrams = 'weightGrams'

/**
 * What is read of packages on npm (`docs/options.md` (Packages that are read by themselves)). The fields of coupons and
 * shipping rates would share their columns with Storeconnect's own, such as `shipping_amount`.
 */
const packages: readonly KnownPackage[] = [
  {
    name: 'payload-refunds',
    knownBy: ['refundedAmount', 'refundableAmount'],
    values: { refundedQuantity: 'refundedQuantity' },
  },
  {
    name: 'payload-coupons',
    knownBy: ['discount.code', 'discount.amount', 'discount.coupon', 'discount.freeShipping'],
    values: { discountAmount: 'discount.amount', discountCode: 'discount.code' },
  },
  {
    name: 'payload-shipping-rates',
    knownBy: ['shipping.method', 'shipping.label', 'shipping.zone', 'shipping.amount'],
    values: { shippingAmount: 'shipping.amount', shippingMethod: 'shipping.method' },
  },
  {
    name: 'payload-tax-eu',
    knownBy: ['tax.taxAmount', 'tax.taxableBase', 'tax.reverseCharge'],
    values: { taxAmount: 'tax.taxAmount' },
    isTaken: true,
  },
  {
    name: 'payload-order-numbers',
    knownBy: ['orderNumber', 'orderSequence'],
    values: { reference: 'orderNumber' },
    isTaken: true,
  },
  {
    name: 'payload-shipping-classes',
    knownBy: [weightInGrams, 'shippingClass'],
    values: { weight: weightInGrams },
  },
]

/** A value that a package keeps. */
export interface PackageValue {
  package: string
  name: ValueName
  path: string
  isTaken: boolean
}

/** What packages keep in these fields of orders or products. */
const packageValues = (fields: readonly Field[]): PackageValue[] =>
  packages
    .filter(({ knownBy }) => knownBy.every((path) => findField(fields, path)))
    .flatMap(({ name: of, values, isTaken = false }) =>
      (Object.entries(values) as [ValueName, string][]).map(([name, path]) => ({
        ...{ package: of, name, path, isTaken },
      })),
    )

/** What is read of it: all but what the store has named another field for. */
export const readValues = (fields: readonly Field[], names: Names): PackageValue[] =>
  packageValues(fields).filter(({ name, path, isTaken }) => {
    if (name === 'weight') return names.productFields.weight === path
    return isTaken ? isOpen(name, names.fields) : names.fields[name] === path
  })

type Names = Pick<ShopNames, 'fields' | 'productFields'>

/** Whether the store leaves an order's field to us. */
const isOpen = (name: Exclude<ValueName, 'weight'>, fields: Readonly<FieldNames>): boolean =>
  fields[name] === defaultFields[name]

/** The names of fields, with those of packages where the store names none. */
export function withPackageFields(
  names: Names,
  of: { orders: readonly Field[]; products: readonly Field[] },
): Names {
  const { fields, productFields } = names
  const ofOrders = packageValues(of.orders).flatMap(
    ({ name, path, isTaken }): [string, string][] =>
      name !== 'weight' && !isTaken && isOpen(name, fields) ? [[name, path]] : [],
  )
  const isFree =
    productFields.weight === defaultProductFields.weight &&
    findField(of.products, productFields.weightUnit) === undefined
  const inGrams = packageValues(of.products).some(({ name }) => name === 'weight') && isFree
  return {
    fields: { ...fields, ...Object.fromEntries(ofOrders) },
    productFields: inGrams ? { ...productFields, weight: weightInGrams } : productFields,
  }
}
