import type { Order } from '../commerce/order.js'
import { readEmail } from '../marketing/email.js'
import { readPhoneNumber } from '../marketing/phone-number.js'
import type { Profile } from '../marketing/profile.js'
import { locationOf, namesOf } from './address-properties.js'
import type { Person } from './happening.js'
import { plainText } from './plain-text.js'

/**
 * Whom an order is of. The billing address is the buyer's own; the shipping address stands in for it,
 * except for a gift, which goes to somebody else.
 */
export function personOf(order: Order): Person {
  const { email, accountEmail, customerId, gift, billingAddress, shippingAddress } = order
  const address = billingAddress ?? (gift ? undefined : shippingAddress)
  // The platform would make one profile of the account's and of that of another email.
  const isAccount = customerId !== undefined && accountEmail?.toLowerCase() === email.toLowerCase()
  return {
    email,
    ...(isAccount && { customerId }),
    ...(address !== undefined && { ...namesOf(address), phone: address.phone, address }),
  }
}

/**
 * A person as the platform is told; undefined without an email that it would take. A phone number that
 * is not international is left out.
 */
export function profileOf(person: Person): Profile | undefined {
  const email = readEmail(person.email)
  if (email === undefined) return undefined
  const phoneNumber = readPhoneNumber(person.phone ?? '')
  const firstName = plainText(person.firstName ?? '')
  const lastName = plainText(person.lastName ?? '')
  const location = person.address === undefined ? {} : locationOf(person.address)
  return {
    email,
    ...(phoneNumber !== undefined && { phoneNumber }),
    ...(person.customerId !== undefined && { externalId: String(person.customerId) }),
    ...(firstName !== '' && { firstName }),
    ...(lastName !== '' && { lastName }),
    ...(Object.keys(location).length > 0 && { location }),
  }
}
