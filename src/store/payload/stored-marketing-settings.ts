import type { BasePayload, PayloadRequest } from 'payload'
import {
  builtInEvents,
  type BuiltInEvent,
  type ReadMarketingSettings,
  type StatusEvent,
  type StoredMarketingSettings,
} from '../../settings/marketing-settings.js'
import { marketingSettingsSlug } from './marketing-settings-global.js'
import { readSecretText } from './secret-text.js'

/** The settings as stored, variables not read. What was never saved is the store's preset. */
export async function readStoredMarketingSettings(
  payload: BasePayload,
  presets: StoredMarketingSettings,
  req?: PayloadRequest,
): Promise<ReadMarketingSettings> {
  const stored: Record<string, unknown> = await payload.db.findGlobal({
    slug: marketingSettingsSlug,
    ...(req && { req }),
  })
  const value = (name: keyof StoredMarketingSettings) => stored[name] ?? presets[name]
  const text = (name: keyof StoredMarketingSettings) => String(value(name))
  const count = (name: keyof StoredMarketingSettings) => Number(value(name))
  // A list that was never saved is empty, like one that was cleared: only a saved document tells.
  const isSaved = stored.createdAt !== undefined
  const texts = (name: 'allowedEvents' | 'allowedLists') =>
    isSaved ? textsOf(stored[name]) : presets[name]
  const privateApiKey = readSecretText(payload, text('privateApiKey'))
  return {
    privateApiKey: privateApiKey ?? '',
    isKeyUnreadable: privateApiKey === undefined,
    eventPrefix: text('eventPrefix'),
    builtInEvents: switches(stored.builtInEvents, presets.builtInEvents),
    statusEvents: isSaved ? statusEventsOf(stored.statusEvents) : presets.statusEvents,
    accountUpdates: Boolean(value('accountUpdates')),
    allowedEvents: texts('allowedEvents'),
    allowedLists: texts('allowedLists'),
    postsPerAddress: count('postsPerAddress'),
    postsPerNetwork: count('postsPerNetwork'),
    foldMinutes: count('foldMinutes'),
    retentionDays: count('retentionDays'),
  }
}

const textsOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((text): text is string => typeof text === 'string') : []

function statusEventsOf(rows: unknown): StatusEvent[] {
  if (!Array.isArray(rows)) return []
  return rows.map((row: Partial<Record<keyof StatusEvent, string | null>>) => ({
    status: row.status ?? '',
    event: row.event ?? '',
  }))
}

function switches(
  stored: unknown,
  presets: Record<BuiltInEvent, boolean>,
): Record<BuiltInEvent, boolean> {
  const saved = (stored ?? {}) as Partial<Record<BuiltInEvent, boolean | null>>
  const entries = builtInEvents.map((event) => [event, saved[event] ?? presets[event]])
  return Object.fromEntries(entries) as Record<BuiltInEvent, boolean>
}
