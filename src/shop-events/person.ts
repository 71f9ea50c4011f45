import type { Address } from '../commerce/address.js'
import type { DocumentId, Order } from '../commerce/order.js'
import { readEmail } from '../marketing/email.js'
import { readPhoneNumber } from '../marketing/phone-number.js'
import type { Profile } from '../marketing/profile.js'
import { plainText, presentValues } from './property-values.js'

/** Whom an event is about. */
export interface Person {
  email: string
  /** The account's id; absent for a guest. */
  customerId?: DocumentId
  firstName?: string
  lastName?: string
  phone?: string
  address?: Address
}

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
 * The profile of a person; undefined without an email that the platform would take. A phone number
 * that is not international is left out.
 */
export function profileOf(person: Person): Profile | undefined {
  const email = readEmail(person.email)
  if (email === undefined) return undefined
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

/** The parts of a name; of one that is kept whole, the last word is the last name. */
export function namesOf({ name, firstName, lastName }: Address) {
  if (firstName !== undefined || lastName !== undefined) {
    return { firstName: plainText(firstName ?? ''), lastName: plainText(lastName ?? '') }
  }
  const words = plainText(name).split(/\s+/)
  const last = words.length > 1 ? words.pop() : undefined
  return { firstName: words.join(' '), lastName: last ?? '' }
}
