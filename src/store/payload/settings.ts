import type { BasePayload, PayloadRequest } from 'payload'
import type { ResolvedOptions } from '../../options/resolve-options.js'
import {
  resolveMarketingSettings,
  type MarketingSettings,
} from '../../settings/marketing-settings.js'
import { resolveShippingSettings, type ShippingSettings } from '../../settings/shipping-settings.js'
import type { SettingsSource } from '../settings-source.js'
import { readStoredMarketingSettings } from './stored-marketing-settings.js'
import { readStoredShippingSettings } from './stored-shipping-settings.js'

/** How long a process goes by the marketing settings that it has read. */
const freshForMilliseconds = 3000

/**
 * What is asked in the midst of a write names its request, and is read on that one's connection: a
 * crowd of writes that each waited for a second one would empty the pool and wait for ever.
 */
export interface PayloadSettings extends SettingsSource {
  shipping(req?: PayloadRequest): Promise<ShippingSettings>
  marketing(req?: PayloadRequest): Promise<MarketingSettings>
}

/**
 * Reads the settings from the database, so that a merchant's change reaches every process. It goes
 * below Payload's hooks, which would hide the secrets.
 */
export function createSettingsSource(
  payload: BasePayload,
  { shipping, marketing }: Pick<ResolvedOptions, 'shipping' | 'marketing'>,
  parts: { environment: NodeJS.ProcessEnv; now: () => Date },
): PayloadSettings {
  let reading: { settings: Promise<MarketingSettings>; since: number } | undefined

  const readMarketing = async (req: PayloadRequest | undefined) =>
    resolveMarketingSettings(
      await readStoredMarketingSettings(payload, marketing.settings, req),
      parts.environment,
    )

  return {
    async shipping(req) {
      const stored = await readStoredShippingSettings(payload, shipping.settings, req)
      return resolveShippingSettings(stored, parts.environment)
    },
    marketing(req) {
      const now = parts.now().getTime()
      if (reading !== undefined && now - reading.since < freshForMilliseconds) {
        return reading.settings
      }
      const settings = readMarketing(req)
      reading = { settings, since: now }
      // What could not be read is not kept; whoever asked learns why.
      settings.catch(() => (reading = undefined))
      return settings
    },
    forgetMarketing() {
      reading = undefined
    },
  }
}
