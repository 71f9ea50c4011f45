import { anAddress } from '../support/orders.js'

/** All that there are. */
export const people = [0, 1, 2]

export const emailOf = (person: number): string => `p${person}@x.io`

/** Klaviyo takes two people of one number for one. */
export const addressOf = (person: number) =>
  anAddress({
    firstName: `Xyzzy${person}`,
    addressLine1: `${person} Xyzzy Square`,
    phone: `+44207946000${person}`,
  })

/** What names a person, and occurs nowhere else. */
export const namesOf = (person: number): string[] => {
  const { firstName, addressLine1, phone } = addressOf(person)
  return [emailOf(person), ...[firstName, addressLine1, phone].map(String)]
}
