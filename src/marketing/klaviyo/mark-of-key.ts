import { createHash } from 'node:crypto'

/** A short hash that identifies a key in the database without revealing it. */
export const markOfKey = (apiKey: string): string =>
  createHash('sha256').update(apiKey).digest('hex').slice(0, 12)
