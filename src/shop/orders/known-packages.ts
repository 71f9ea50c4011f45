import type { Field } from 'payload'
import { findField } from '../../core/payload/field-search.js'
import type {
  FieldNames,
  OrderFieldName,
  ProductFieldNames,
  ShopNames,
} from '../../core/shop-names.js'
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
interface PackageValue {
  package: string
  name: ValueName
  path: string
  isTaken: boolean
}

/** What packages keep in these fields of orders or products. */
export const packageValues = (fields: readonly Field[]): PackageValue[] =>
  packages
    .filter(({ knownBy }) => knownBy.every((path) => findField(fields, path)))
    .flatMap(({ name: of, values, isTaken = false }) =>
      (Object.entries(values) as [ValueName, string][]).map(([name, path]) => ({
        ...{ package: of, name, path, isTaken },
      })),
    )

/** The names of orders' fields, with those of packages where the store names none. */
export function withPackageFields(
  names: Readonly<FieldNames>,
  orderFields: readonly Field[],
): Readonly<FieldNames> {
  const found = packageValues(orderFields).filter(
    ({ name, isTaken }) => !isTaken && isOpen(name, names),
  )
  return { ...names, ...Object.fromEntries(found.map(({ name, path }) => [name, path])) }
}

/** The values that a new order takes over from packages: the names of their fields, and the paths. */
export const takenValues = (
  orderFields: readonly Field[],
  { fields }: Pick<ShopNames, 'fields'>,
): { field: string; path: string }[] =>
  packageValues(orderFields).flatMap(({ name, path, isTaken }) =>
    isTaken && isOpen(name, fields) ? [{ field: fields[name], path }] : [],
  )

/** Whether the store leaves an order's field to us. */
const isOpen = (
  name: ValueName,
  names: Readonly<FieldNames>,
): name is keyof FieldNames & ValueName => name !== 'weight' && names[name] === defaultFields[name]

/** The names of products' fields with the weight in grams, where a package makes it and the store has no unit. */
export function withWeightInGrams(
  names: Readonly<ProductFieldNames>,
  productFields: readonly Field[],
): Readonly<ProductFieldNames> {
  const isNamed = names.weight !== defaultProductFields.weight
  const hasUnit = findField(productFields, names.weightUnit) !== undefined
  const found = packageValues(productFields).find(({ name }) => name === 'weight')
  return isNamed || hasUnit || found === undefined ? names : { ...names, weight: found.path }
}
