import * as z from 'zod/mini'
import { readStored, storedMoment } from '../../core/database/stored-value.js'
import type { Shop } from '../../core/shop.js'
import { markOfKey, type CallContext } from './ask-api.js'
import { askPages, pageLinks } from './call.js'
import type { CallOptions, KlaviyoError, Reply } from './call-answer.js'

interface KlaviyoList {
  id: string
  name: string
}

export interface AccountLists {
  lists: KlaviyoList[]
  /** False when the account has more lists than are read. */
  isComplete: boolean
}

const listsDocument = z.object({
  data: z.array(
    z.object({ id: z.string(), attributes: z.object({ name: z.nullish(z.string()) }) }),
  ),
  links: pageLinks,
})

/** Klaviyo allows ten lists a page, so a thousand are read. */
const pageLimit = 100

export async function readLists(context: CallContext): Reply<AccountLists> {
  const query = { 'fields[list]': 'name', 'page[size]': '10' }
  const question = { path: '/api/lists', query, schema: listsDocument }
  const answer = await askPages(context, question, pageLimit)
  if ('failed' in answer) return answer
  const { pages, ...rest } = answer
  const found = pages
    .flatMap(({ data }) => data)
    .map(({ id, attributes }): [string, KlaviyoList] => [id, { id, name: attributes.name ?? '' }])
  const lists = [...new Map(found).values()]
  return { lists: lists.sort((a, b) => a.name.localeCompare(b.name, 'en')), ...rest }
}

type CachedLists<Moment = Date> = AccountLists & { readAt: Moment }

export type ListsAnswer<Moment = Date, Problem = KlaviyoError> =
  | { is: 'no-key' }
  /** The lists were never read from Klaviyo. */
  | { is: 'unknown'; problem: Problem }
  /** With `problem`, Klaviyo could not be asked again, and the lists may be out of date. */
  | ({ is: 'known'; problem?: Problem } & CachedLists<Moment>)

const freshMilliseconds = 5 * 60_000

const failedMilliseconds = 15_000

/** Short, because a person waits for the answer. */
const askMilliseconds = 15_000

/** There is one answer for the installation. The mark of the key says whose it is. */
const place = 'storeconnect:platform-lists'

const storedSchema = z.object({
  key: z.string(),
  readAt: storedMoment,
  isComplete: z.boolean(),
  lists: z.array(z.object({ id: z.string(), name: z.string() })),
})

interface Asked {
  apiKey: string
  answer: Promise<ListsAnswer>
  /** Until when the answer is fresh, in milliseconds since 1970; undefined until there is one. */
  until: number | undefined
}

/** When Klaviyo fails, the last good answer is returned, which all processes share. */
export function createKlaviyoLists(
  { payload, effects: { now, deadline }, log }: Shop,
  {
    klaviyo,
    settings,
  }: {
    klaviyo: { lists: (options: CallOptions) => Reply<AccountLists> }
    settings: () => Promise<{ privateApiKey: string }>
  },
) {
  let recent: Asked | undefined

  async function readCached(apiKey: string): Promise<CachedLists | undefined> {
    const stored = await readStored(payload, place, storedSchema)
    if (stored === undefined || stored.key !== markOfKey(apiKey)) return undefined
    const { readAt, lists, isComplete } = stored
    return { readAt, lists, isComplete }
  }

  async function cache(apiKey: string, cached: CachedLists): Promise<void> {
    try {
      const readAt = cached.readAt.toISOString()
      await payload.kv.set(place, { ...cached, key: markOfKey(apiKey), readAt })
    } catch (error) {
      // The lists are still returned; a later process only finds older ones.
      log.warn({ err: error }, 'The lists of Klaviyo could not be cached')
    }
  }

  async function find(apiKey: string): Promise<ListsAnswer> {
    const cached = await readCached(apiKey)
    if (cached !== undefined && isFresh(cached, now())) return { is: 'known', ...cached }
    const answer = await klaviyo.lists({ apiKey, signal: deadline(askMilliseconds) })
    if ('failed' in answer) {
      const problem = answer.failed.error
      return cached === undefined ? { is: 'unknown', problem } : { is: 'known', ...cached, problem }
    }
    const { lists, isComplete } = answer
    const read: CachedLists = { readAt: now(), lists, isComplete }
    await cache(apiKey, read)
    return { is: 'known', ...read }
  }

  return {
    async read(): Promise<ListsAnswer> {
      const { privateApiKey: apiKey } = await settings()
      if (apiKey === '') return { is: 'no-key' }
      if (recent?.apiKey === apiKey && isRecent(recent, now())) return recent.answer
      const asked: Asked = { apiKey, answer: find(apiKey), until: undefined }
      recent = asked
      asked.answer.then(
        (answer) => {
          const isGood = answer.is === 'known' && answer.problem === undefined
          asked.until = isGood
            ? answer.readAt.getTime() + freshMilliseconds
            : now().getTime() + failedMilliseconds
        },
        // A rejected read is not cached; every caller receives the error.
        () => (asked.until = 0),
      )
      return asked.answer
    },
  }
}

export type KlaviyoLists = ReturnType<typeof createKlaviyoLists>

/** The clock of another process may be ahead, so a moment in the future counts only for a while. */
const isFresh = ({ readAt }: CachedLists, now: Date): boolean =>
  Math.abs(now.getTime() - readAt.getTime()) < freshMilliseconds

/** The clock of this process may have been set back since. */
function isRecent({ until }: Asked, now: Date): boolean {
  if (until === undefined) return true
  const restMs = until - now.getTime()
  return restMs > 0 && restMs <= freshMilliseconds
}
