import * as z from 'zod/mini'
import type { BuiltInEvent } from '../events/event-table.js'
import { schemaOf } from '../../core/options-schema.js'
import { marketingSettingsSchema, type StoredMarketingSettings } from './marketing-settings.js'

export interface MarketingSettingsOptions {
  /**
   * Marketing settings that apply until a merchant saves others. `$NAME` and `${NAME}` read environment
   * variables.
   */
  settings?: Partial<
    Omit<StoredMarketingSettings, 'builtInEvents'> & {
      builtInEvents: Partial<Record<BuiltInEvent, boolean>>
    }
  >
}

export const marketingSettingsOptions = schemaOf<MarketingSettingsOptions>()(
  z.strictObject({ settings: marketingSettingsSchema }),
)
