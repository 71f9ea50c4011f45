import type { BasePayload } from 'payload'
import type { Parts } from '../../src/core/installation.js'
import { loadedPartsIn } from '../../src/core/installation.js'

/** The parts of a store that is open: `openStore` has loaded them. */
export function partsOf(payload: BasePayload): Parts {
  const parts = loadedPartsIn(payload)
  if (parts === undefined) throw new Error('The parts of this store are not loaded.')
  return parts
}
