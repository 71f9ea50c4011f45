import type { BasePayload } from 'payload'
import type { Handle } from './actions/front-door.js'

/**
 * Where a config keeps its handlers. The mounts (`next/`, `node/`) find them there by the Payload
 * instance, whichever copy of this module the store's bundler gave them.
 */
export interface Installation {
  handlerFor(payload: BasePayload): Handle
}

const key = 'storeconnect'

export const withInstallation = (
  custom: Record<string, unknown> | undefined,
  installation: Installation,
): Record<string, unknown> => ({ ...custom, [key]: installation })

/** @throws {TypeError} when the store's config has no enabled `storeConnect()` among its plugins. */
export function handlerOf(payload: BasePayload): Handle {
  const installation = (payload.config.custom as Record<string, Installation | undefined>)[key]
  if (installation === undefined) {
    throw new TypeError("Add storeConnect() to the plugins of this store's Payload config.")
  }
  return installation.handlerFor(payload)
}
