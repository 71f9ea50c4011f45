import { randomBytes, randomInt } from 'node:crypto'

/** A cart's or order's number: 32 hex digits, unguessable (`decisions.md`, words). */
export const newNumber = (): string => randomBytes(16).toString('hex')

// Crockford's base 32: no I, L, O or U, so that nobody misreads it on the phone.
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** A candidate for an order's reference, such as `7K3Q-9DMA`: one of 1.1 × 10¹². */
export function newReference(): string {
  const characters = Array.from({ length: 8 }, () => alphabet[randomInt(alphabet.length)])
  return `${characters.slice(0, 4).join('')}-${characters.slice(4).join('')}`
}
