import type { Log } from '../store/log.js'
import type { KeptLists, PlatformListMemory } from '../store/platform-lists.js'
import type { SettingsSource } from '../store/settings-source.js'
import type { MarketingPlatform } from './platform.js'

/** What is known of the lists at the marketing platform. */
export type ListKnowledge =
  | { is: 'no-key' }
  /** The platform never told them. */
  | { is: 'unknown'; problem: string }
  /** `problem`: why the platform could not be asked again; the lists are as old as they are then. */
  | ({ is: 'known'; problem?: string } & KeptLists)

/** How long an answer of the platform goes for the present. */
const freshMilliseconds = 5 * 60_000

/** How long a failure keeps the platform from being asked again. */
const failedMilliseconds = 15_000

/** A person waits for it. */
const askMilliseconds = 15_000

export interface KnownListsParts {
  platform: Pick<MarketingPlatform, 'lists'>
  settings: Pick<SettingsSource, 'marketing'>
  memory: PlatformListMemory
  now: () => Date
  log: Log
}

/**
 * Asks the platform once for everybody who wants to know, and falls back to its last good answer,
 * which other processes and later ones share.
 */
export function createKnownLists({ platform, settings, memory, now, log }: KnownListsParts) {
  let recent: { apiKey: string; answer: Promise<ListKnowledge>; until: number } | undefined

  async function keep(apiKey: string, kept: KeptLists): Promise<void> {
    try {
      await memory.keep(apiKey, kept)
    } catch (error) {
      // The lists are told all the same; what a later process finds is older.
      log.warn({ err: error }, 'The lists of the marketing platform could not be kept')
    }
  }

  async function find(apiKey: string): Promise<ListKnowledge> {
    const kept = await memory.read(apiKey)
    if (kept !== undefined && isFresh(kept, now())) return { is: 'known', ...kept }
    const signal = AbortSignal.timeout(askMilliseconds)
    const answer = await platform.lists({ apiKey, signal })
    if ('failed' in answer) {
      const { detail, code } = answer.failed.error
      const problem = `${detail} (${code})`
      return kept === undefined ? { is: 'unknown', problem } : { is: 'known', ...kept, problem }
    }
    const { lists, isComplete } = answer
    const told: KeptLists = { readAt: now(), lists, isComplete }
    await keep(apiKey, told)
    return { is: 'known', ...told }
  }

  return {
    /** For people who pick one. */
    async read(): Promise<ListKnowledge> {
      const { privateApiKey: apiKey } = await settings.marketing()
      if (apiKey === '') return { is: 'no-key' }
      if (recent?.apiKey === apiKey && recent.until > now().getTime()) return recent.answer
      const asked = { apiKey, answer: find(apiKey), until: Infinity }
      recent = asked
      asked.answer.then(
        (answer) => {
          const isGood = answer.is === 'known' && answer.problem === undefined
          asked.until = isGood
            ? answer.readAt.getTime() + freshMilliseconds
            : now().getTime() + failedMilliseconds
        },
        // What could not be read is not kept; whoever asked learns why.
        () => (asked.until = 0),
      )
      return asked.answer
    },
  }
}

/** What is known of the lists at the marketing platform. */
export type KnownLists = ReturnType<typeof createKnownLists>

/** The clock of another process may be a little ahead, and must not be believed for long. */
const isFresh = ({ readAt }: KeptLists, now: Date): boolean =>
  Math.abs(now.getTime() - readAt.getTime()) < freshMilliseconds
