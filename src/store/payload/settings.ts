import type { BasePayload } from 'payload'
import type { ResolvedOptions } from '../../options/resolve-options.js'
import {
  resolveMarketingSettings,
  type MarketingSettings,
} from '../../settings/marketing-settings.js'
import { resolveShippingSettings } from '../../settings/shipping-settings.js'
import type { SettingsSource } from '../settings-source.js'
import { readStoredMarketingSettings } from './stored-marketing-settings.js'
import { readStoredShippingSettings } from './stored-shipping-settings.js'

/** How long a process goes by the marketing settings that it has read. */
const freshForMilliseconds = 3000

/**
 * Reads the settings from the database, so that a merchant's change reaches every process. It goes
 * below Payload's hooks, which would hide the secrets.
 */
export function createSettingsSource(
  payload: BasePayload,
  { shipping, marketing }: Pick<ResolvedOptions, 'shipping' | 'marketing'>,
  parts: { environment: NodeJS.ProcessEnv; now: () => Date },
): SettingsSource {
  let reading: { settings: Promise<MarketingSettings>; since: number } | undefined

  const readMarketing = async () =>
    resolveMarketingSettings(
      await readStoredMarketingSettings(payload, marketing.settings),
      parts.environment,
    )

  return {
    async shipping() {
      const stored = await readStoredShippingSettings(payload, shipping.settings)
      return resolveShippingSettings(stored, parts.environment)
    },
    marketing() {
      const now = parts.now().getTime()
      if (reading !== undefined && now - reading.since < freshForMilliseconds) {
        return reading.settings
      }
      const settings = readMarketing()
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
