import * as z from 'zod/mini'
import type { Shop } from '../../core/shop.js'
import { markOfKey } from './mark-of-key.js'
import type { CallFailure } from './call-answer.js'
import type { Klaviyo } from './klaviyo.js'
import { storedMoment, readStored, type KeyValueStore } from '../../core/database/stored-value.js'

const place = 'storeconnect:last-connection-test'

const testSchema = z.object({
  at: storedMoment,
  key: z.string(),
  /** Why Klaviyo refused the key. */
  refusal: z.exactOptional(z.string()),
  refusalCode: z.exactOptional(z.string()),
  missingScopes: z.array(z.string()),
})

/** The result of the last test of a key. */
export type ConnectionTest = Omit<z.infer<typeof testSchema>, 'key'>

/** Wraps Klaviyo so that it stores the result of each connection test for the overview page. */
export const withTestsNoted = (klaviyo: Klaviyo, { payload, effects }: Shop): Klaviyo => ({
  ...klaviyo,
  async checkAccount(options) {
    const account = await klaviyo.checkAccount(options)
    const result =
      'failed' in account
        ? { ...refusalOf(account.failed), missingScopes: [] }
        : { missingScopes: account.missingScopes }
    const at = effects.now().toISOString()
    await payload.kv.set(place, { at, key: markOfKey(options.apiKey), ...result })
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
