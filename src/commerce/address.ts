/** A postal address as the shop keeps it. A field that the shop does not have is empty text. */
export interface Address {
  name: string
  /** The parts of the name, where the shop keeps them apart. */
  firstName?: string
  lastName?: string
  company: string
  line1: string
  line2: string
  city: string
  state: string
  postalCode: string
  /** ISO 3166-1 alpha-2, such as `DE`. */
  country: string
  phone: string
}
