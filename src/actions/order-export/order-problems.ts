import type { Address } from '../../commerce/address.js'
import { isAmount } from '../../commerce/money.js'
import type { LineItem, Order } from '../../commerce/order.js'
import { legalText } from './xml-text.js'

/**
 * Why an order cannot be exported, a sentence each; empty for an order that passes
 * (`decisions.md`, Shipping). Texts that are too long are no problem: they are cut.
 */
export function orderProblems(order: Order): string[] {
  return [
    ...when(
      order.customerId === undefined && isBlank(order.email),
      'It has no customer and no email.',
    ),
    ...when(isBlank(order.status), 'It has no status.'),
    ...addressProblems(order.shippingAddress),
    ...billingProblems(order.billingAddress),
    ...amountProblems('Its total', order.total),
    ...amountProblems('Its tax amount', order.taxAmount),
    ...amountProblems('Its shipping amount', order.shippingAmount),
    ...amountProblems('Its discount', order.discountAmount),
    ...when(!isExportable(order.createdAt), 'Its date is not a date.'),
    ...when(!isExportable(order.updatedAt), 'Its date of change is not a date.'),
    ...order.items.flatMap(lineProblems),
  ]
}

function addressProblems(address: Address): string[] {
  return [
    ...when(isBlank(address.name), 'Its shipping address has no name.'),
    ...when(isBlank(address.line1), 'Its shipping address has no first address line.'),
    ...when(isBlank(address.city), 'Its shipping address has no city.'),
    ...when(!isCountry(address.country), 'Its shipping address has no two-letter country.'),
  ]
}

const billingProblems = (address: Address | undefined): string[] =>
  when(
    address !== undefined && !isBlank(address.country) && !isCountry(address.country),
    'The country of its billing address has not two letters.',
  )

function lineProblems(line: LineItem, index: number): string[] {
  const which = `Line ${index + 1}`
  return [
    ...when(!isQuantity(line.quantity), `${which} has no whole quantity.`),
    ...amountProblems(`The unit price of line ${index + 1}`, line.unitPrice),
    ...when(!isWeight(line.weight), `${which} has a weight that is not a number.`),
  ]
}

const amountProblems = (what: string, minorUnits: number): string[] =>
  when(
    !isAmount(minorUnits),
    `${what} is stored as ${minorUnits}, which is no whole number of the currency's smallest unit. Enter it again.`,
  )

const when = (applies: boolean, problem: string): string[] => (applies ? [problem] : [])

const isBlank = (text: string) => legalText(text).trim() === ''
const isCountry = (text: string) => /^[A-Z]{2}$/i.test(text.trim())
// The schema's xs:int.
const isQuantity = (quantity: number) =>
  Number.isInteger(quantity) && quantity >= 1 && quantity <= 2_147_483_647
const isWeight = (weight: number) => weight >= 0 && weight < 1e15
/** The schema's date pattern has room for years of four digits. */
const isExportable = (date: Date) =>
  !Number.isNaN(date.getTime()) && date.getUTCFullYear() >= 1000 && date.getUTCFullYear() <= 9999
