import type {
  ArrayField,
  BasePayload,
  CollapsibleField,
  GlobalConfig,
  PayloadRequest,
} from 'payload'
import { installedIn } from '../../installation.js'
import { platformLimits } from '../../marketing/limits.js'
import { settingText, type SettingChoice } from '../../settings/setting-choice.js'
import { builtInEvents, type StoredMarketingSettings } from '../../settings/marketing-settings.js'
import { adminsOnly } from './admin-access.js'
import { connectionEndpoint } from './connection-endpoint.js'
import { adminGroup, label } from './label.js'
import { klaviyoListsField } from './list-field.js'
import {
  checkboxSetting,
  chosen,
  countSetting,
  secretSetting,
  textSetting,
  textsSetting,
  type SettingsParts,
} from './setting-fields.js'

export const marketingSettingsSlug = 'marketing-settings'

/** Of a prefix and of an event: together, with a space, they are a name that the platform takes. */
const nameLength = platformLimits.eventNameLength / 2 - 1

/** The merchant's marketing settings. Defaults are the store's presets. */
export const marketingSettingsGlobal = (
  presets: StoredMarketingSettings,
  { isAdmin, say, statusesIn }: SettingsParts & StatusParts,
): GlobalConfig => ({
  slug: marketingSettingsSlug,
  label: label('marketingSettings'),
  lockDocuments: false,
  admin: { group: adminGroup, description: say('marketingSettingsIntro') },
  access: { read: adminsOnly(isAdmin), update: adminsOnly(isAdmin) },
  endpoints: [connectionEndpoint(isAdmin)],
  hooks: {
    afterChange: [({ req }) => installedIn(req.payload)?.settings.forgetMarketing()],
  },
  fields: [
    {
      name: 'notice',
      type: 'ui',
      admin: {
        components: {
          Field: {
            path: 'payload-storeconnect/rsc#MarketingSettingsNotice',
            // Not as they are: in development, React sends properties on to the browser.
            serverProps: { presets: () => presets },
          },
        },
      },
    },
    secretSetting(marketingSettingsSlug, {
      name: 'privateApiKey',
      preset: presets.privateApiKey,
      label: 'privateApiKey',
      description: 'privateApiKeyDescription',
    }),
    {
      name: 'connection',
      type: 'ui',
      admin: { components: { Field: 'payload-storeconnect/client#ConnectionTest' } },
    },
    {
      ...textSetting('eventPrefix', presets.eventPrefix, {
        label: 'eventPrefix',
        description: 'eventPrefixDescription',
      }),
      maxLength: nameLength,
    },
    {
      name: 'builtInEvents',
      type: 'group',
      label: label('builtInEvents'),
      admin: { description: label('builtInEventsDescription') },
      fields: builtInEvents.map((event) =>
        checkboxSetting(event, presets.builtInEvents[event], { label: event }),
      ),
    },
    statusEvents(presets, { statusesIn }),
    checkboxSetting('accountUpdates', presets.accountUpdates, {
      label: 'accountUpdates',
      description: 'accountUpdatesDescription',
    }),
    textsSetting('allowedEvents', presets.allowedEvents, {
      label: 'allowedEvents',
      description: 'allowedEventsDescription',
    }),
    klaviyoListsField(
      textsSetting('allowedLists', presets.allowedLists, {
        label: 'allowedLists',
        description: 'allowedListsDescription',
      }),
    ),
    abuseLimits(presets),
    countSetting('retentionDays', presets.retentionDays, {
      label: 'retentionDays',
      description: 'retentionDaysDescription',
    }),
  ],
})

interface StatusParts {
  /** The orders' statuses. */
  statusesIn: (payload: BasePayload) => readonly SettingChoice<unknown>[]
}

const statusEvents = (
  presets: StoredMarketingSettings,
  { statusesIn }: StatusParts,
): ArrayField => ({
  name: 'statusEvents',
  type: 'array',
  label: label('statusEvents'),
  labels: { singular: label('statusEvent'), plural: label('statusEvents') },
  defaultValue: presets.statusEvents.map((row) => ({ ...row })),
  admin: { description: label('statusEventsDescription') },
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
})

const abuseLimits = (presets: StoredMarketingSettings): CollapsibleField => ({
  type: 'collapsible',
  label: label('abuseLimits'),
  fields: [
    {
      type: 'row',
      fields: [
        countSetting('postsPerAddress', presets.postsPerAddress, {
          label: 'postsPerAddress',
          description: 'postsPerAddressDescription',
        }),
        countSetting('postsPerNetwork', presets.postsPerNetwork, {
          label: 'postsPerNetwork',
          description: 'postsPerNetworkDescription',
        }),
      ],
    },
    countSetting('foldMinutes', presets.foldMinutes, {
      label: 'foldMinutes',
      description: 'foldMinutesDescription',
    }),
  ],
})
