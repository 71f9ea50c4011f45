import { z } from 'zod'
import { markOfKey } from '../../../delivery/call-pause.js'
import type { MarketingPlatform } from '../../../marketing/platform.js'
import type { ConnectionTest } from '../../overview.js'
import { keptMoment, readKept, type KeyValueStore } from '../kept-value.js'

const place = 'storeconnect:last-connection-test'

const testSchema = z.object({
  at: keptMoment,
  key: z.string(),
  refusal: z.string().optional(),
  missingScopes: z.array(z.string()),
})

/** The platform, which keeps what the last test of a key said for the merchant's page. */
export const withTestsNoted = (
  platform: MarketingPlatform,
  { kv }: KeyValueStore,
  now: () => Date,
): MarketingPlatform => ({
  ...platform,
  async checkAccount(options) {
    const account = await platform.checkAccount(options)
    const said =
      'failed' in account
        ? { refusal: account.failed.error.detail, missingScopes: [] }
        : { missingScopes: account.missingScopes }
    await kv.set(place, { at: now().toISOString(), key: markOfKey(options.apiKey), ...said })
    return account
  },
})

/** The last test, when it was one of this key. */
export async function readLastTest(
  store: KeyValueStore,
  apiKey: string,
): Promise<ConnectionTest | undefined> {
  const { key, ...test } = (await readKept(store, place, testSchema)) ?? {}
  return key === markOfKey(apiKey) ? (test as ConnectionTest) : undefined
}
