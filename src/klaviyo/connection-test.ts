import { z } from 'zod'
import { markOfKey } from './mark-of-key.js'
import type { CallFailure, MarketingPlatform } from './platform.js'
import { storedMoment, readStored, type KeyValueStore } from '../database/stored-value.js'

const place = 'storeconnect:last-connection-test'

const testSchema = z.object({
  at: storedMoment,
  key: z.string(),
  /** Why Klaviyo refused the key. */
  refusal: z.string().exactOptional(),
  refusalCode: z.string().exactOptional(),
  missingScopes: z.array(z.string()),
})

/** The result of the last test of a key. */
export type ConnectionTest = Omit<z.infer<typeof testSchema>, 'key'>

/** Wraps the platform so that it stores the result of each connection test for the overview page. */
export const withTestsNoted = (
  platform: MarketingPlatform,
  { kv }: KeyValueStore,
  now: () => Date,
): MarketingPlatform => ({
  ...platform,
  async checkAccount(options) {
    const account = await platform.checkAccount(options)
    const result =
      'failed' in account
        ? { ...refusalOf(account.failed), missingScopes: [] }
        : { missingScopes: account.missingScopes }
    await kv.set(place, { at: now().toISOString(), key: markOfKey(options.apiKey), ...result })
    return account
  },
})

const refusalOf = ({ error }: CallFailure['failed']) => ({
  refusal: error.detail,
  refusalCode: error.code,
})

/** The last test, if it tested this key. */
export async function readLastTest(
  store: KeyValueStore,
  apiKey: string,
): Promise<ConnectionTest | undefined> {
  const { key, ...test } = (await readStored(store, place, testSchema)) ?? {}
  return key === markOfKey(apiKey) ? (test as ConnectionTest) : undefined
}
