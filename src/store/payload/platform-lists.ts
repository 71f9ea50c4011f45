import { createHmac } from 'node:crypto'
import type { BasePayload } from 'payload'
import { z } from 'zod'
import { derivedKey } from '../../http/derived-key.js'
import { sameText } from '../../http/same-text.js'
import type { PlatformListMemory } from '../platform-lists.js'
import { keptMoment, readKept, type KeyValueStore } from './kept-value.js'

/** One answer for the installation: the key's mark tells whose it is. */
const place = 'storeconnect:platform-lists'

const keptSchema = z.object({
  account: z.string(),
  readAt: keptMoment,
  isComplete: z.boolean(),
  lists: z.array(z.object({ id: z.string(), name: z.string() })),
})

/**
 * Lists of one account are never shown for another's key; the key itself is not kept, but a mark that
 * nobody can turn back.
 */
export function createPlatformListMemory(
  store: KeyValueStore & Pick<BasePayload, 'config'>,
): PlatformListMemory {
  const markKey = derivedKey(store.config.secret, 'platform-lists')
  const markOf = (apiKey: string) =>
    createHmac('sha256', markKey).update(apiKey).digest('hex').slice(0, 32)

  return {
    async read(apiKey) {
      const kept = await readKept(store, place, keptSchema)
      if (kept === undefined || !sameText(kept.account, markOf(apiKey))) return undefined
      const { readAt, lists, isComplete } = kept
      return { readAt, lists, isComplete }
    },
    async keep(apiKey, { readAt, lists, isComplete }) {
      const account = markOf(apiKey)
      await store.kv.set(place, { account, readAt: readAt.toISOString(), isComplete, lists })
    },
  }
}
