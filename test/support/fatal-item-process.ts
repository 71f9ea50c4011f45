import { randomUUID } from 'node:crypto'
import { getPayload } from 'payload'
import { createDeliverer } from '../../src/delivery/deliverer.js'
import { createKlaviyo } from '../../src/klaviyo/klaviyo.js'
import { defaultMarketingSettings } from '../../src/marketing-settings/marketing-settings.js'
import { sqlDatabase } from '../../src/database/database.js'
import { passes } from '../delivery/passes.js'
import { endLease } from './end-lease.js'
import { shopOf } from './shop-of.js'
import { storeConfig, type DatabaseKind } from './store-config.js'

// Delivers until nothing is due within some minutes, on a clock that begins where the parent says and
// jumps over every wait. It dies of sending anything that holds the word `fatal`.
const [kind = 'sqlite', url = '', apiUrl = '', privateApiKey = '', start = ''] =
  process.argv.slice(2)
/** Longer than a send waits that was lost with a worker. */
const reachMs = 8 * 60_000
const end = Number(start) + reachMs
let at = Number(start)

const config = await storeConfig({ kind: kind as DatabaseKind, url })
const payload = await getPayload({ config, key: randomUUID() })
const now = () => new Date(at)
// Whoever had it is lost.
await endLease(sqlDatabase(payload))
const shop = shopOf(payload, { now, fetch: sendUnlessFatal })
const drain = passes(
  createDeliverer(shop, {
    platform: createKlaviyo(apiUrl, shop.effects),
    settings: () =>
      Promise.resolve({ ...defaultMarketingSettings, privateApiKey, keyProblem: undefined }),
    accountConsents: () => Promise.resolve(new Map()),
  }),
)

for (;;) {
  const { didWork, nextAt } = await drain.pass()
  if (didWork) continue
  if (nextAt === undefined || nextAt.getTime() > end) break
  at = Math.max(at, nextAt.getTime())
}
process.exit(0)

function sendUnlessFatal(...request: Parameters<typeof fetch>): Promise<Response> {
  const body = request[1]?.body
  if (typeof body === 'string' && body.includes('fatal')) process.kill(process.pid, 'SIGKILL')
  return fetch(...request)
}
