import { defaultSwitches } from '../events/event-table.js'
import { listSetting, listsSetting } from './list-setting.js'
import { resolveText } from '../../core/payload/environment-reference.js'
import {
  checkboxesSetting,
  checkboxSetting,
  choiceSetting,
  countSetting,
  secretSetting,
  textSetting,
  textsSetting,
  chosen,
  described,
  listOf,
} from '../../core/payload/setting-kinds.js'
import {
  settingsSchema,
  type SettingsTable,
  type SettingValues,
  type StoredSettings,
  type Setting,
} from '../../core/payload/settings-table.js'
import type { PayloadRequest } from 'payload'
import * as z from 'zod/mini'
import { messageLimits } from '../klaviyo/limits.js'
import { label } from '../../core/payload/label.js'
import { settingText } from '../../core/payload/setting-choice.js'
import type { OrderStatuses } from '../../shop/orders/order-choices.js'

/** The name of the event of a status. */
export interface StatusEvent {
  /** The status's handle. */
  status: string
  /** The event's name, without the prefix. */
  event: string
}

/** A prefix and an event name of this length, with a space between, fit Klaviyo's limit. */
export const nameLength = messageLimits.eventNameLength / 2 - 1

const view = { description: 'statusEventsDescription', section: 'eventNames' } as const

export const statusEventsSetting: Setting<readonly StatusEvent[], OrderStatuses> = {
  ...view,
  schema: z._default(z.array(z.strictObject({ status: z.string(), event: z.string() })), []),
  field: ({ name, preset, parts: { statusesIn } }) => ({
    name,
    type: 'array',
    ...described(name, view),
    labels: { singular: label('statusEvent'), plural: label('statusEvents') },
    defaultValue: preset.map((row) => ({ ...row })),
    fields: [
      {
        type: 'row',
        fields: [
          chosen(
            {
              name: 'status',
              type: 'text',
              required: true,
              label: label('statusEventStatus'),
              validate: (value: unknown, { req }: { req: PayloadRequest }) =>
                statusesIn(req.payload).some((status) => status.value === settingText(value)) ||
                label('statusUnknown')(req),
            },
            statusesIn,
          ),
          {
            name: 'event',
            type: 'text',
            required: true,
            maxLength: nameLength,
            label: label('statusEventName'),
          },
        ],
      },
    ],
  }),
  read: (stored, presets) => complete(listOf(stored, presets)),
}

/** The rows that have both a status and a name. The first row of a status counts. */
function complete(rows: readonly unknown[]): StatusEvent[] {
  const byStatus = new Map<string, StatusEvent>()
  for (const row of rows as readonly Partial<Record<keyof StatusEvent, unknown>>[]) {
    const status = settingText(row.status)
    const event = settingText(row.event)
    if (status !== '' && event !== '' && !byStatus.has(status)) {
      byStatus.set(status, { status, event })
    }
  }
  return [...byStatus.values()]
}

export const marketingSettingsSlug = 'marketing-settings'

/** What a merchant sets for Klaviyo. */
export const marketingSettingTable = {
  /** Klaviyo's private API key, or `$NAME` or `${NAME}` to read a variable. Blank: sends wait. */
  privateApiKey: secretSetting({
    description: 'privateApiKeyDescription',
    fieldBelow: {
      name: 'connection',
      type: 'ui',
      admin: { components: { Field: 'payload-storeconnect/client#ConnectionTest' } },
    },
  }),
  /** Klaviyo's public API key (site id), or `$NAME` or `${NAME}`. Blank: nothing of Klaviyo is on the pages. */
  publicApiKey: textSetting('', { description: 'publicApiKeyDescription' }),
  /** Which built-in events are sent. */
  builtInEvents: checkboxesSetting(defaultSwitches, {
    description: 'builtInEventsDescription',
    fieldBelow: {
      name: 'metrics',
      type: 'ui',
      admin: { components: { Field: 'payload-storeconnect/client#KlaviyoMetrics' } },
    },
  }),
  /** How Klaviyo gets the products: `feed`, from a URL of the shop; `api`, from the shop itself, with their variants. */
  catalog: choiceSetting({ feed: 'catalogByFeed', api: 'catalogByApi' }, 'feed', {
    description: 'catalogDescription',
  }),
  /** A text before every event's name, separated by one space. */
  eventPrefix: textSetting('', {
    description: 'eventPrefixDescription',
    section: 'eventNames',
    maxLength: nameLength,
  }),
  /** Names of status events that replace `<Status> Order`, such as `Fulfilled Order` for `shipped`. */
  statusEvents: statusEventsSetting,
  /** Event names that a post may track, without the prefix. Empty: any. */
  allowedEvents: textsSetting({ description: 'allowedEventsDescription', section: 'formSettings' }),
  /** Lists that a post may name. Empty: any. */
  allowedLists: listsSetting({ description: 'allowedListsDescription', section: 'formSettings' }),
  /**
   * Whether the consents of customers follow Klaviyo, forms may post `subscribe=0`, and Klaviyo is asked
   * before each subscription whether the person has left.
   */
  followUnsubscribes: checkboxSetting(false, {
    description: 'followUnsubscribesDescription',
    section: 'consentSettings',
  }),
  /** The list that people who consent at the checkout are subscribed to. Blank: they are not. */
  consentList: listSetting({
    description: 'consentListDescription',
    section: 'consentSettings',
    fieldBelow: {
      name: 'consentProof',
      type: 'ui',
      admin: { components: { Field: 'payload-storeconnect/client#ConsentProofLink' } },
    },
  }),
  /** Whether saving a user's account updates the profile. */
  accountUpdates: checkboxSetting(true, {
    description: 'accountUpdatesDescription',
    section: 'accountsAndPrivacy',
  }),
  /** Whether deleting a customer's account erases the person, at Klaviyo too. It cannot be undone. */
  accountDeletions: checkboxSetting(false, {
    description: 'accountDeletionsDescription',
    section: 'accountsAndPrivacy',
  }),
  /** How many days delivered sends stay listed. */
  retentionDays: countSetting(30, {
    description: 'retentionDaysDescription',
    section: 'accountsAndPrivacy',
  }),
  /** Posts a minute from one client IP. 0: no limit. */
  postsPerAddress: countSetting(60, {
    description: 'postsPerAddressDescription',
    section: 'abuseLimits',
  }),
  /** Posts a minute from one network (IPv4 /24, IPv6 /64). 0: no limit. */
  postsPerNetwork: countSetting(300, {
    description: 'postsPerNetworkDescription',
    section: 'abuseLimits',
    isBeside: true,
  }),
  /** How many minutes a post counts as a repeat of the same earlier one. 0: never. */
  dedupeMinutes: countSetting(2, {
    description: 'dedupeMinutesDescription',
    section: 'abuseLimits',
  }),
} satisfies SettingsTable

/** As a merchant wrote them. */
export type StoredMarketingSettings = SettingValues<typeof marketingSettingTable>

export const marketingSettingsSchema = settingsSchema(marketingSettingTable)

export type KeyProblem = 'missing' | 'variable-missing' | 'unreadable'

/** With environment variables resolved. */
export interface MarketingSettings extends StoredMarketingSettings {
  /** Why there is no key; undefined when there is one. */
  keyProblem: KeyProblem | undefined
}

export function resolveMarketingSettings(
  { unreadable = [], ...stored }: StoredSettings<typeof marketingSettingTable>,
  environment: NodeJS.ProcessEnv,
): MarketingSettings {
  const key = resolveText(stored.privateApiKey, environment)
  const privateApiKey = key.value.trim()
  const whyBlank = key.missingVariable === undefined ? 'missing' : 'variable-missing'
  const keyProblem = unreadable.includes('privateApiKey') ? 'unreadable' : whyBlank
  return {
    ...stored,
    privateApiKey,
    publicApiKey: resolveText(stored.publicApiKey, environment).value.trim(),
    keyProblem: privateApiKey === '' ? keyProblem : undefined,
  }
}

export const marketingSettingsPage = {
  slug: marketingSettingsSlug,
  title: 'marketingSettings',
  intro: 'marketingSettingsIntro',
  notice: 'payload-storeconnect/rsc#MarketingSettingsNotice',
  table: marketingSettingTable,
  resolve: resolveMarketingSettings,
} as const
