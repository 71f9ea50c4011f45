import type { MatterRow, SettingsOf, Wrong } from '../../core/matter.js'
import type { SettingsTable } from '../../core/payload/settings-table.js'
import type { catalogMatters } from '../../marketing/catalog/matters.js'
import type { couponMatters } from '../../marketing/coupons/matters.js'
import type { deliveryMatters } from '../../marketing/delivery/matters.js'
import type { shippingMatters } from '../../shipping/matters.js'
import type { trackingMatters } from '../../shipping/tracking/matters.js'
import type { shopMatters } from '../../shop/matters.js'
import type { paymentMatters } from '../../shop/payments/matters.js'

/** The matters of the shop and of all products. A shop has those of the products that are on. */
type AllRows = typeof shopMatters &
  typeof paymentMatters &
  typeof shippingMatters &
  typeof trackingMatters &
  typeof deliveryMatters &
  typeof catalogMatters &
  typeof couponMatters

/** The settings of all matters: a switch for each, with its name, and thresholds. */
export type MatterSettings = SettingsOf<AllRows>

export type Condition = {
  [Name in keyof AllRows]: AllRows[Name] extends { settings: SettingsTable } ? Name : never
}[keyof AllRows]

export type MatterRows = Readonly<Record<string, MatterRow>>

export type Conditions = Readonly<Partial<Record<Condition, Wrong>>>

/** The matters among these that alerts tell. Those without settings are first steps. */
export const conditionsOf = (rows: MatterRows): Conditions =>
  Object.fromEntries(Object.entries(rows).filter(([, row]) => 'settings' in row))

export const namesOf = (conditions: Conditions) => Object.keys(conditions) as Condition[]

/** The settings of each condition as a text, to see whether they were changed. */
export type Rules = Readonly<Partial<Record<Condition, string>>>

/** A time zone is a setting where business days count. */
export function rulesOf(
  conditions: Conditions,
  { businessDays, ...settings }: { businessDays: boolean },
  timezone: string,
): Rules {
  const rules: Readonly<Record<string, unknown>> = {
    ...settings,
    businessDays: businessDays && timezone,
  }
  return Object.fromEntries(
    namesOf(conditions).map((name) => [
      name,
      JSON.stringify((conditions[name]?.rule ?? []).map((setting) => rules[setting])),
    ]),
  )
}
