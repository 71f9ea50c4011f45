import type { BasePayload } from 'payload'

const prefix = 'encrypted:'

/** Begins every clear text: with another PAYLOAD_SECRET something else is read in its place. */
const mark = 'storeconnect:'

/** A secret setting as it is stored. */
export const encryptedText = (payload: Pick<BasePayload, 'encrypt'>, text: string): string =>
  prefix + payload.encrypt(mark + text)

/**
 * A secret setting in clear; other text is returned as it is. Undefined for one that was saved with
 * another PAYLOAD_SECRET.
 */
export function readSecretText(
  payload: Pick<BasePayload, 'decrypt'>,
  text: string,
): string | undefined {
  if (!text.startsWith(prefix)) return text
  const clear = payload.decrypt(text.slice(prefix.length))
  return clear.startsWith(mark) ? clear.slice(mark.length) : undefined
}
