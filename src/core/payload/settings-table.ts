import type { BasePayload, Field, GlobalConfig, PayloadRequest } from 'payload'
import * as z from 'zod/mini'
import { createCachedValue, type CachedValue } from '../database/cached-value.js'
import type { Effects } from '../effects.js'
import type { IsAdmin } from './admin-access.js'
import { adminGroup, label, type TranslationKey } from './label.js'

/** How the admin shows a setting. Its label is the text with the setting's name. */
export interface SettingView {
  description?: TranslationKey
  /** The title of its collapsible, which is closed at first. Neighbours with the same title share one. */
  section?: TranslationKey
  /** Shows the setting in one row with the one before it. */
  isBeside?: true
  /** A field that the form shows below the setting. */
  fieldBelow?: Field
}

export interface Setting<Value, Parts = unknown> extends SettingView {
  /** Checks the value that the options give. Undefined becomes the default. */
  schema: z.ZodMiniType<Value>
  field(about: SettingField<Value, Parts>): Field
  /** `stored` is null when this setting was never saved, and undefined when no setting was. */
  read(stored: unknown, preset: Value): Value
  /** Decrypts what was read. Undefined when it was saved with another PAYLOAD_SECRET. */
  reveal?(payload: BasePayload, value: Value): Value | undefined
}

export interface SettingField<Value, Parts = unknown> {
  name: TranslationKey
  /** The value from the options, or the default. */
  preset: Value
  /** What the plugin passes to all fields of the table. */
  parts: Parts
}

/** All settings of one form, in its order: options, fields and values follow from this table. */
export type SettingsTable = Readonly<Partial<Record<TranslationKey, Setting<unknown>>>>

export type SettingValues<Table extends SettingsTable> = {
  -readonly [Name in keyof Table]: Table[Name] extends Setting<infer Value> ? Value : never
}

/** The settings as the options give them. Each may be absent, and so may each of a group of boxes. */
type SettingPresets<Table extends SettingsTable> = {
  [Name in keyof Table]?: SettingValues<Table>[Name] extends infer Value
    ? Value extends Readonly<Record<string, boolean>>
      ? Partial<Value>
      : Value
    : never
}

/** Checks the settings in the options, and completes them with the defaults. */
export const settingsSchema = <Table extends SettingsTable>(
  table: Table,
): z.ZodMiniType<SettingValues<Table>, SettingPresets<Table> | undefined> =>
  z.prefault(
    z.strictObject(eachSetting(table, ({ schema }) => schema)),
    {},
  ) as unknown as z.ZodMiniType<SettingValues<Table>, SettingPresets<Table> | undefined>

/** What a merchant saved. */
export type StoredSettings<Table extends SettingsTable> = SettingValues<Table> & {
  /** The names of the secrets that were saved with another PAYLOAD_SECRET. They are blank. */
  unreadable?: readonly string[]
}

/** A page on which a merchant changes settings. */
export interface SettingsPage<Table extends SettingsTable, Resolved = unknown> {
  slug: string
  /** Whether the menu leads to it. */
  isInMenu?: boolean
  title: TranslationKey
  intro: TranslationKey
  /** The component on top of the form. It shows what is wrong; its props are the presets and parts. */
  notice: string
  table: Table
  /** The section that is shown as a table: a switch, and beside it from when it counts. */
  tableSection?: TranslationKey | undefined
  /** Makes the settings ready for use, with the values of environment variables. */
  resolve(stored: StoredSettings<Table>, environment: NodeJS.ProcessEnv): Resolved
}

/** The current settings. They are resolved each time, because variables may change while the shop runs. */
export function createSettings<Table extends SettingsTable, Resolved>(
  { payload, effects }: { payload: BasePayload; effects: Effects },
  page: SettingsPage<Table, Resolved>,
  presets: SettingValues<Table>,
): CachedValue<Resolved> {
  const stored = createCachedValue(
    (req) => readSettings({ payload, req }, page, presets),
    effects.now,
  )
  return {
    get: async (req) => page.resolve(await stored.get(req), process.env),
    forget: () => stored.forget(),
  }
}

/** Reads what a merchant saved, from the database adapter, because Payload's hooks hide secrets. */
export async function readSettings<Table extends SettingsTable>(
  { payload, req }: { payload: BasePayload; req?: PayloadRequest | undefined },
  { slug, table }: SettingsPage<Table>,
  presets: SettingValues<Table>,
): Promise<StoredSettings<Table>> {
  const stored: Record<string, unknown> = await payload.db.findGlobal({ slug, ...(req && { req }) })
  // The adapter reads a list as empty both when it was cleared and when nothing was ever saved.
  const isSaved = stored.createdAt !== undefined
  const unreadable: string[] = []
  const values = eachSetting(table, (setting) => {
    const saved = isSaved ? (stored[setting.name] ?? null) : undefined
    const value = setting.read(saved, presets[setting.name as keyof Table])
    const revealed = setting.reveal ? setting.reveal(payload, value) : value
    if (revealed === undefined) unreadable.push(setting.name)
    return revealed ?? ''
  })
  return { ...(values as SettingValues<Table>), unreadable }
}

/** What the plugin passes to every form of settings. */
export interface SettingsAccess {
  isAdmin: IsAdmin
  /** A text in each language of the admin. */
  say: (key: TranslationKey) => Record<string, string>
}

interface SettingsForm<Presets, Parts> {
  presets: Presets
  parts: Parts
  /** The settings of an instance; undefined where Storeconnect does not work. */
  settingsOf: (payload: BasePayload) => Promise<Pick<CachedValue<unknown>, 'forget'> | undefined>
}

/** Makes the global in which a merchant changes the settings of a page. */
export const settingsGlobal = <Table extends SettingsTable, Parts>(
  { slug, isInMenu = false, intro, notice, table, tableSection }: SettingsPage<Table>,
  { presets, parts, settingsOf }: SettingsForm<SettingValues<Table>, Parts>,
  { isAdmin, say }: SettingsAccess,
): GlobalConfig => ({
  slug,
  label: label('settings'),
  lockDocuments: false,
  versions: false,
  // The menu has one entry for all settings; the tabs lead to the others.
  admin: { group: isInMenu ? adminGroup : false, description: say(intro) },
  access: { read: isAdmin, update: isAdmin },
  hooks: { afterChange: [async ({ req }) => (await settingsOf(req.payload))?.forget()] },
  fields: [
    {
      name: 'tabs',
      type: 'ui',
      admin: {
        components: {
          Field: { path: 'payload-storeconnect/rsc#SettingsTabs', serverProps: { current: slug } },
        },
      },
    },
    {
      name: 'notice',
      type: 'ui',
      admin: {
        components: {
          // A function hides the presets: in development, React sends plain props to the browser.
          Field: { path: notice, serverProps: { presets: () => presets, ...parts } },
        },
      },
    },
    ...settingFields({ table, tableSection }, presets, parts),
  ],
})

/** Puts the settings of a section into a collapsible, and those that belong together into a row. */
function settingFields<Table extends SettingsTable>(
  { table, tableSection }: Pick<SettingsPage<Table>, 'table' | 'tableSection'>,
  presets: SettingValues<Table>,
  parts: unknown,
): Field[] {
  const fieldsOf = (setting: NamedSetting): Field[] => [
    setting.field({ name: setting.name, preset: presets[setting.name as keyof Table], parts }),
    ...(setting.fieldBelow ? [setting.fieldBelow] : []),
  ]
  const inRows = (settings: readonly NamedSetting[]): Field[] =>
    groupsOf(settings, ({ isBeside }) => isBeside === true).flatMap((group): Field[] => {
      const fields = group.flatMap(fieldsOf)
      return group.length > 1 ? [{ type: 'row', fields }] : fields
    })
  const sections = groupsOf(settingsOf(table), ({ section }, before) => section === before.section)
  return sections.flatMap((settings): Field[] => {
    const fields = inRows(settings)
    const title = settings[0]?.section
    if (title === undefined) return fields
    const isTable = title === tableSection
    const admin = { initCollapsed: true, ...(isTable && { className: 'storeconnect-table' }) }
    return [
      {
        type: 'collapsible',
        label: label(title),
        admin,
        fields: isTable ? fields.map(inTwoColumns) : fields,
      },
    ]
  })
}

/** The columns of a table, whose rows Payload lays out one by one. */
const columnWidths = ['60%', '40%']

function inTwoColumns(field: Field): Field {
  const cells = field.type === 'row' ? field.fields : [field]
  const fields = cells.map((cell, index) => {
    const width = cells.length > 1 ? columnWidths[index] : '100%'
    return { ...cell, admin: { ...cell.admin, width } } as Field
  })
  return { type: 'row', fields }
}

type NamedSetting = Setting<unknown> & { name: TranslationKey }

const settingsOf = (table: SettingsTable): NamedSetting[] =>
  (Object.entries(table) as [TranslationKey, Setting<unknown>][]).map(([name, setting]) => ({
    ...setting,
    name,
  }))

const eachSetting = <Value>(
  table: SettingsTable,
  valueOf: (setting: NamedSetting) => Value,
): Record<string, Value> =>
  Object.fromEntries(settingsOf(table).map((setting) => [setting.name, valueOf(setting)]))

/** Splits a list before each item that does not belong to the one before it. */
function groupsOf<Item>(
  items: readonly Item[],
  belongs: (item: Item, before: Item) => boolean,
): Item[][] {
  const starts = items.flatMap((item, index) => {
    const before = items[index - 1]
    return before !== undefined && belongs(item, before) ? [] : [index]
  })
  return starts.map((start, index) => items.slice(start, starts[index + 1]))
}
