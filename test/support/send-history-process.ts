import { randomUUID } from 'node:crypto'
import { createInterface } from 'node:readline'
import { getPayload } from 'payload'
import { partsOf } from '../../src/installation.js'
import { storeConfig, type DatabaseKind } from './store-config.js'

// A store in a process of its own that sends its history, to be killed while it does. It says `ready`
// and reads lines: for `worker` it delivers and says `delivering`, then `step` before each page of the
// history and `stored` after it, `call` before each call of the platform and `answer` after it.
const [kind = 'sqlite', url = '', apiUrl = '', privateApiKey = ''] = process.argv.slice(2)

// Pipes are written to at once, so what was said has arrived, whatever happens next.
const say = (line: string) => process.stdout.write(`${line}\n`)

const payload = await getPayload({
  config: await storeConfig({
    kind: kind as DatabaseKind,
    url,
    options: { marketing: { apiUrl, settings: { privateApiKey } } },
    effects: { fetch: (...asked) => said('call', 'answer', () => fetch(...asked)) },
  }),
  key: randomUUID(),
})
const { delivery, historyWork } = partsOf(payload)
const { step } = historyWork
historyWork.step = (run) => said('step', 'stored', () => step(run))

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
