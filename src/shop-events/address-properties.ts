import type { Address } from '../commerce/address.js'
import type { ProfileLocation, Properties } from '../marketing/profile.js'
import { plainText } from './plain-text.js'
import { presentValues } from './present-values.js'

/** An address by the keys that the platform's own guide uses. */
export const addressProperties = (address: Address): Properties =>
  presentValues({
    FirstName: namesOf(address).firstName,
    LastName: namesOf(address).lastName,
    Company: plainText(address.company),
    Address1: plainText(address.line1),
    Address2: plainText(address.line2),
    City: plainText(address.city),
    RegionCode: plainText(address.state),
    CountryCode: plainText(address.country),
    Zip: plainText(address.postalCode),
    Phone: plainText(address.phone),
  })

/** An address as a profile has it. */
export const locationOf = (address: Address): ProfileLocation =>
  presentValues({
    address1: plainText(address.line1),
    address2: plainText(address.line2),
    city: plainText(address.city),
    region: plainText(address.state),
    zip: plainText(address.postalCode),
    country: plainText(address.country),
  })

/** The parts of a name; of one that is kept whole, the last word is the last name. */
export function namesOf({ name, firstName, lastName }: Address): {
  firstName: string
  lastName: string
} {
  if (firstName !== undefined || lastName !== undefined) {
    return { firstName: plainText(firstName ?? ''), lastName: plainText(lastName ?? '') }
  }
  const words = plainText(name).split(/\s+/)
  const last = words.length > 1 ? words.pop() : undefined
  return { firstName: words.join(' '), lastName: last ?? '' }
}
