import * as z from 'zod/mini'
import { schemaOf } from '../../core/options-schema.js'
import type { MatterRows } from './conditions.js'
import { alertSettingsSchema, type StoredAlertSettings } from './alert-settings.js'

/** Options for alerts. */
export interface AlertOptions {
  /**
   * Alert settings that apply until a merchant saves others. In `webhookUrl`, `webhookSecret` and
   * `healthToken`, `$NAME` and `${NAME}` read environment variables.
   */
  settings?: Partial<StoredAlertSettings>
}

export const alertOptions = (rows: MatterRows) =>
  schemaOf<AlertOptions>()(z.strictObject({ settings: alertSettingsSchema(rows) }))
