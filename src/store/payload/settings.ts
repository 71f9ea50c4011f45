import type { BasePayload, PayloadRequest } from 'payload'
import type { ResolvedOptions } from '../../options/resolve-options.js'
import {
  resolveMarketingSettings,
  type MarketingSettings,
} from '../../settings/marketing-settings.js'
import { resolveShippingSettings, type ShippingSettings } from '../../settings/shipping-settings.js'
import type { SettingsSource } from '../settings-source.js'
import { createKeptReading } from './kept-reading.js'
import { readStoredMarketingSettings } from './stored-marketing-settings.js'
import { readStoredShippingSettings } from './stored-shipping-settings.js'

/** What is asked in the midst of a write names its request, and is read on that one's connection. */
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
  const marketingSettings = createKeptReading<MarketingSettings>(
    async (req) =>
      resolveMarketingSettings(
        await readStoredMarketingSettings(payload, marketing.settings, req),
        parts.environment,
      ),
    parts.now,
  )

  return {
    async shipping(req) {
      const stored = await readStoredShippingSettings(payload, shipping.settings, req)
      return resolveShippingSettings(stored, parts.environment)
    },
    marketing: (req) => marketingSettings.get(req),
    forgetMarketing: () => marketingSettings.forget(),
  }
}
