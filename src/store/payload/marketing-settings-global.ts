import type { ArrayField, CollapsibleField, GlobalConfig } from 'payload'
import { installedIn } from '../../installation.js'
import { en } from '../../translations/en.js'
import { builtInEvents, type StoredMarketingSettings } from '../../settings/marketing-settings.js'
import { adminsOnly, type IsAdmin } from './admin-access.js'
import { connectionEndpoint } from './connection-endpoint.js'
import { adminGroup, label } from './label.js'
import {
  checkboxSetting,
  countSetting,
  secretSetting,
  textSetting,
  textsSetting,
} from './setting-fields.js'

export const marketingSettingsSlug = 'marketing-settings'

/** The merchant's marketing settings. Defaults are the store's presets. */
export const marketingSettingsGlobal = (
  presets: StoredMarketingSettings,
  isAdmin: IsAdmin,
): GlobalConfig => ({
  slug: marketingSettingsSlug,
  label: label('marketingSettings'),
  lockDocuments: false,
  // Payload calls the description of a collection, but not of a global.
  admin: { group: adminGroup, description: { en: en.marketingSettingsIntro } },
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
            serverProps: { presets },
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
    textSetting('eventPrefix', presets.eventPrefix, {
      label: 'eventPrefix',
      description: 'eventPrefixDescription',
    }),
    {
      name: 'builtInEvents',
      type: 'group',
      label: label('builtInEvents'),
      admin: { description: label('builtInEventsDescription') },
      fields: builtInEvents.map((event) =>
        checkboxSetting(event, presets.builtInEvents[event], { label: event }),
      ),
    },
    statusEvents(presets),
    checkboxSetting('accountUpdates', presets.accountUpdates, {
      label: 'accountUpdates',
      description: 'accountUpdatesDescription',
    }),
    textsSetting('allowedEvents', presets.allowedEvents, {
      label: 'allowedEvents',
      description: 'allowedEventsDescription',
    }),
    textsSetting('allowedLists', presets.allowedLists, {
      label: 'allowedLists',
      description: 'allowedListsDescription',
    }),
    abuseLimits(presets),
    countSetting('retentionDays', presets.retentionDays, {
      label: 'retentionDays',
      description: 'retentionDaysDescription',
    }),
  ],
})

const statusEvents = (presets: StoredMarketingSettings): ArrayField => ({
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
        { name: 'status', type: 'text', required: true, label: label('statusEventStatus') },
        { name: 'event', type: 'text', required: true, label: label('statusEventName') },
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
