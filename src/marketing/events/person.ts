import type { Address, Order } from '../../shop/orders/order.js'
import type { DocumentId } from '../../core/database/document-id.js'
import { readEmail } from '../../core/people/email.js'
import { readPhoneNumber } from '../../core/people/phone-number.js'
import type { Profile } from '../klaviyo/profile.js'
import { plainText, presentValues } from './property-values.js'

/** Somebody who is known by an email or, without one, by Klaviyo's exchange id. */
export interface Person {
  email?: string
  exchangeId?: string
  customerId?: DocumentId
  firstName?: string
  lastName?: string
  phone?: string
  address?: Address
}

/** The shipping address stands in for a missing billing address, unless the order is a gift for somebody else. */
export function personOf(order: Order): Person {
  const { email, accountEmail, customerId, gift, billingAddress, shippingAddress } = order
  const address = billingAddress ?? (gift ? undefined : shippingAddress)
  // Klaviyo would merge two profiles if the account's id came with another email.
  const isAccount = customerId !== undefined && accountEmail?.toLowerCase() === email.toLowerCase()
  return {
    email,
    ...(isAccount && { customerId }),
    ...(address !== undefined && { ...namesOf(address), phone: address.phone, address }),
  }
}

/**
 * Undefined without a valid email or an exchange id. A profile has only one of the two: a visitor can choose the
 * exchange id, and Klaviyo could merge two people by it.
 */
export function profileOf(person: Person): Profile | undefined {
  const email = readEmail(person.email ?? '')
  if (email === undefined) {
    return person.exchangeId === undefined ? undefined : { exchangeId: person.exchangeId }
  }
  const { customerId, firstName = '', lastName = '', phone = '', address } = person
  return presentValues({
    email,
    phoneNumber: readPhoneNumber(phone),
    externalId: customerId === undefined ? undefined : String(customerId),
    firstName: plainText(firstName),
    lastName: plainText(lastName),
    location: address && locationOf(address),
  })
}

const locationOf = (address: Address) =>
  presentValues({
    address1: plainText(address.line1),
    address2: plainText(address.line2),
    city: plainText(address.city),
    region: plainText(address.state),
    zip: plainText(address.postalCode),
    country: plainText(address.country),
  })

export function namesOf({ name, firstName, lastName }: Address) {
  if (firstName !== undefined || lastName !== undefined) {
    return { firstName: plainText(firstName ?? ''), lastName: plainText(lastName ?? '') }
  }
  const words = plainText(name).split(/\s+/)
  const last = words.length > 1 ? words.pop() : undefined
  return { firstName: words.join(' '), lastName: last ?? '' }
}
