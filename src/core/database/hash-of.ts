import { createHash } from 'node:crypto'

/** The SHA-256 hash of a JSON value, as 43 characters. */
export const hashOf = (value: unknown): string =>
  createHash('sha256').update(JSON.stringify(value)).digest('base64url')
