import type { PayloadRequest } from 'payload'

/**
 * Whether the caller asked that nothing is told of the change: an import or a seed passes
 * `context: { storeconnect: 'silent' }` to Payload.
 */
export const isSilent = ({ context }: Pick<PayloadRequest, 'context'>): boolean =>
  context.storeconnect === 'silent'
