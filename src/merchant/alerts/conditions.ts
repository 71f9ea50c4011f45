import { settingsOf, type SettingsTable, type Wrong } from '../../core/matter.js'
import { deliveryMatters } from '../../marketing/delivery/matters.js'
import { shippingMatters } from '../../shipping/matters.js'
import { shopMatters } from '../../shop/matters.js'

/** The matters that a shop may have. Those without settings are first steps. */
const rows = { ...shopMatters, ...shippingMatters, ...deliveryMatters }

/** The settings of all matters: a switch for each, with its name, and thresholds. */
export const matterSettings = settingsOf(rows)

type Rows = typeof rows

/** A matter that alerts tell. */
export type Condition = {
  [Name in keyof Rows]: Rows[Name] extends { settings: SettingsTable } ? Name : never
}[keyof Rows]

export const conditions = Object.fromEntries(
  Object.entries(rows).filter(([, row]) => 'settings' in row),
) as unknown as Readonly<Record<Condition, Wrong>>

export const conditionNames = Object.keys(conditions) as [Condition, ...Condition[]]

export const isCondition = (name: unknown): name is Condition =>
  typeof name === 'string' && Object.hasOwn(conditions, name)

/**
 * The settings of each condition as a text. Two such texts differ when the settings were changed, or the
 * time zone whose business days count.
 */
export function rulesOf(
  { businessDays, ...settings }: { businessDays: boolean },
  timezone: string,
): Record<Condition, string> {
  const rules: Readonly<Record<string, unknown>> = {
    ...settings,
    businessDays: businessDays && timezone,
  }
  return Object.fromEntries(
    conditionNames.map((name) => [
      name,
      JSON.stringify((conditions[name].rule ?? []).map((setting) => rules[setting])),
    ]),
  ) as Record<Condition, string>
}
