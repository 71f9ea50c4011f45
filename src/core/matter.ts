import * as z from 'zod/mini'
import { lazy, type Once } from './database/cached-value.js'
import { checkboxSetting } from './payload/setting-kinds.js'
import type { Setting, SettingsTable, SettingValues } from './payload/settings-table.js'

import type { Translator } from './payload/label.js'
import type { TranslationKey } from './translations/translation.js'

/** How many orders are named. A merchant finds the others beside them. */
export const ordersNamed = 5

/** Counting stops here: a larger number tells a merchant nothing more. */
export const countedAtMost = 100

const text = z.exactOptional(z.string())

const orderSchema = z.object({
  id: z.union([z.number(), z.string()]),
  /** The number that customers and ShipStation know. */
  number: z.string(),
})

/** An order as a sentence names it. */
export type NamedOrder = z.infer<typeof orderSchema>

/** The facts by which a matter is open. They are stored with its alert, so they hold no personal data. */
export const factsSchema = z.object({
  /** The sentence that says it more exactly than that of the table. */
  text: z.exactOptional(z.string() as unknown as z.ZodMiniType<TranslationKey>),
  /** How many there are; `countedAtMost` stands for that many or more. */
  count: z.exactOptional(z.number()),
  /** Since when, as an ISO date: the last pull, the oldest order, the oldest send. */
  since: text,
  /** When a login with ShipStation's username was last refused, as an ISO date. */
  refusedAt: text,
  /** Until when it may wait, as an ISO date. */
  until: text,
  /** The dates that ShipStation asked for, as it sent them. */
  asked: text,
  /** The store that it asked for. */
  store: text,
  /** How far a pull got, of how many pages. */
  page: z.exactOptional(z.number()),
  pages: z.exactOptional(z.number()),
  /** The scopes that the key lacks. */
  scopes: text,
  /** What Klaviyo answered. */
  reason: z.exactOptional(z.object({ code: z.string(), detail: z.string() })),
  /** The first orders that are concerned, `ordersNamed` at most. */
  orders: z.exactOptional(z.array(orderSchema)),
  /** The first payments, each with its amount and currency as its number. */
  payments: z.exactOptional(z.array(orderSchema)),
})

export type MatterFacts = z.infer<typeof factsSchema>

/**
 * Why a matter is no longer open. `pulled`: ShipStation has asked for orders since. `gone`: what was
 * looked for is no longer found.
 */
export const overSchema = z.object({
  why: z.enum(['pulled', 'gone']),
  /** When that was seen, as an ISO date, where it is known. */
  at: text,
})

export type Over = z.infer<typeof overSchema>

/**
 * What is true of a matter now. `unknown`: it could not be read, or another matter hides it. `off`: nobody
 * is to know of it, because the merchant does not want to, or does not use ShipStation or Klaviyo.
 */
export type MatterState =
  { isOpen: true; facts: MatterFacts } | { isOpen: false; over: Over } | 'unknown' | 'off'

/** What was looked for is not found. */
export const gone: MatterState = { isOpen: false, over: { why: 'gone' } }

export const open = (facts: MatterFacts): MatterState => ({ isOpen: true, facts })

/** The fact since when it is so. */
export const sinceOf = (since: Date | undefined): Pick<MatterFacts, 'since'> | undefined =>
  since && { since: since.toISOString() }

/** What is known of a matter from before: its alert that is not closed. */
export interface ExistingAlert {
  /** When it began for the first time. */
  begunAt: Date
  /** When it ended last; undefined while it is open. */
  endedAt: Date | undefined
  facts: MatterFacts
}

/** What a matter is decided by. */
export interface MatterRound<Facts, Settings> {
  facts: Facts
  settings: Settings
  now: Date
  timezone: string
  existing: ExistingAlert | undefined
}

interface Shown {
  /** Whose state it shows. */
  of: 'ShipStation' | 'Klaviyo' | 'shop'
  /** The page of the admin that helps; undefined where there is none. */
  adminPath?: `/${string}`
  /** What leads there. */
  show?: TranslationKey
}

/** Something that is wrong or waits: the overview shows it, alerts tell it, the health URL counts it. */
export interface Wrong extends Shown {
  /** What is wrong, in a sentence. It may have the facts as variables, such as `{{since}}`. */
  text: TranslationKey
  /** What does not work as long as it is so, which the sentence has as `{{off}}`. */
  off?: TranslationKey
  /** What a merchant does about it, where the sentence does not say it. */
  advice?: TranslationKey
  /** What is said when it is over, in a sentence; undefined where its name says enough. */
  over?: TranslationKey
  /** What says the `reason` among its facts to a reader. */
  sayReason?: (reason: NonNullable<MatterFacts['reason']>, translate: Translator) => string
  /** Its own settings: the switch with its name, and the thresholds. Without a switch it is not told. */
  settings?: SettingsTable
  /** The matter whose switch it has instead. */
  switchOf?: string
  /** The settings that say what is looked for. */
  rule?: readonly string[]
}

/** What a new shop does once. It is a first step of the overview, and not told. */
export interface Step extends Shown {
  step: TranslationKey
  /** Without it, the shop is not set up, or a platform not used yet. */
  stage?: 'not-set-up' | 'not-used-yet'
}

export type MatterRow = Wrong | Step

/** Decides by facts alone whether a matter is open. */
export type Decide<Facts, Settings> = (
  round: MatterRound<Facts, Settings>,
) => MatterState | Promise<MatterState>

type MatterTable<Facts, Settings> = Readonly<
  Record<string, MatterRow & { read: Decide<Facts, Settings> }>
>

/** The section of the settings of all matters. */
export const watchedSection = 'alertsWatched'

/** The switch of a matter. */
export const watchedSetting = () => checkboxSetting(true, { section: watchedSection })

/**
 * Makes the rows of a room. `Shared` are the settings of other rows that it may read.
 *
 * @example
 * const row = matterRows<ShippingFacts, typeof shared>()
 */
export const matterRows =
  <Facts, Shared extends SettingsTable = Record<never, never>>() =>
  <Own extends SettingsTable, Shape extends Wrong | Step>(
    row: Shape & {
      settings?: Own
      read: Decide<Facts, SettingValues<Own & Shared>>
    },
  ) =>
    row

/** The settings of all rows of a table. */
export const settingsOf = <Rows extends Readonly<Record<string, MatterRow>>>(
  rows: Rows,
): SettingsOf<Rows> =>
  Object.assign(
    {},
    ...Object.values(rows).map((row) => ('settings' in row ? row.settings : {})),
  ) as SettingsOf<Rows>

export type SettingsOf<Rows> = Together<{
  [Name in keyof Rows]: Rows[Name] extends { settings: infer Own extends SettingsTable }
    ? Own
    : Record<never, Setting<never>>
}>

type Together<Tables> = (
  Tables[keyof Tables] extends infer One
    ? One extends unknown
      ? (one: One) => void
      : never
    : never
) extends (one: infer Whole extends SettingsTable) => void
  ? Whole
  : never

/** What a feature contributes: its rows, and the facts by which they are decided. */
export interface FeatureMatters {
  rows: Readonly<Record<string, MatterRow>>
  /** Begins a round. The facts are read once in it, and only if a row needs them; who reads them too shares `once`. */
  begin(
    once: Once,
  ): (name: string, round: Omit<MatterRound<unknown, unknown>, 'facts'>) => Promise<MatterState>
}

export const featureMatters = <Facts>(
  rows: MatterTable<Facts, never>,
  readFacts: (once: Once) => Promise<Facts>,
): FeatureMatters => ({
  rows,
  begin(once) {
    const facts = lazy(() => readFacts(once))
    return async (name, { settings, ...round }) =>
      (await rows[name]?.read({
        ...round,
        facts: await facts(),
        settings: settings as never,
      })) ?? 'off'
  },
})
