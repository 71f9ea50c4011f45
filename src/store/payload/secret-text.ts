import type { BasePayload } from 'payload'

/** Marks a text that `payload.encrypt` made. */
export const encryptedPrefix = 'encrypted:'

/** A secret setting in clear; other text is returned as it is. */
export const readSecretText = (payload: Pick<BasePayload, 'decrypt'>, text: string): string =>
  text.startsWith(encryptedPrefix) ? payload.decrypt(text.slice(encryptedPrefix.length)) : text
