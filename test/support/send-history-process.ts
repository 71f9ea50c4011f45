import { randomUUID } from 'node:crypto'
import { createInterface } from 'node:readline'
import { getPayload } from 'payload'
import { createDeliveryLoop } from '../../src/delivery/delivery-loop.js'
import { historyParts } from './history-parts.js'
import { storeConfig, type DatabaseKind } from './store-config.js'

// A store in a process of its own that sends its history, to be killed while it does. It says `ready`
// and reads lines: for `worker` it delivers and says `delivering`, then `step` before each page of the
// history and `stored` after it, `call` before each call of the platform and `answer` after it.
const [kind = 'sqlite', url = '', apiUrl = '', privateApiKey = ''] = process.argv.slice(2)

/** Small pages, so that there are many places to be killed at. */
const ordersAtOnce = 4

// Pipes are written to at once, so what was said has arrived, whatever happens next.
const say = (line: string) => process.stdout.write(`${line}\n`)

const payload = await getPayload({
  config: await storeConfig({ kind: kind as DatabaseKind, url }),
  key: randomUUID(),
})
const now = () => new Date()
const { deliverer, worker, shop } = historyParts({
  payload,
  now,
  privateApiKey,
  ordersAtOnce,
  fetch: (asked, init) =>
    said('call', 'answer', () => fetch(String(asked).replace(/^https:\/\/[^/]+/, apiUrl), init)),
  around: (step) => said('step', 'stored', step),
})
const delivery = createDeliveryLoop(shop, {
  deliverer,
  workers: () => [worker],
  notifications: {
    send: () => undefined,
    listen: () => ({ end: () => Promise.resolve() }),
  },
  flush: () => Promise.resolve(),
})

createInterface({ input: process.stdin }).on('line', (line) => {
  if (line !== 'worker') return
  say('delivering')
  delivery.start()
})
say('ready')

async function said<Result>(
  before: string,
  after: string,
  work: () => Promise<Result>,
): Promise<Result> {
  say(before)
  const result = await work()
  say(after)
  return result
}
