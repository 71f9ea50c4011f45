import { randomUUID } from 'node:crypto'
import { createInterface } from 'node:readline'
import { getPayload } from 'payload'
import { wholePartsOf } from './parts.js'
import { storeConfig, type DatabaseKind } from './store-config.js'

// A store in a process of its own that sends its history, and is killed while it does. It says `ready` and
// reads a line: for `worker` it says so again and delivers, and says `step` before each page of the history
// and `stored` after it, `call` before each call of the platform and `answer` after it. With two numbers
// behind `worker` it kills itself so many lines later, and so many milliseconds after that.
const [kind = 'sqlite', url = '', apiUrl = '', privateApiKey = ''] = process.argv.slice(2)

let linesLeft = 0
let graceMs = 0

// Pipes are written to at once, so what was said has arrived, whatever happens next.
function say(line: string): void {
  process.stdout.write(`${line}\n`)
  linesLeft -= 1
  if (linesLeft === 0) setTimeout(() => process.kill(process.pid, 'SIGKILL'), graceMs)
}

const payload = await getPayload({
  config: await storeConfig({
    kind: kind as DatabaseKind,
    url,
    options: { marketing: { apiUrl, settings: { privateApiKey } } },
    effects: { fetch: (...asked) => said('call', 'answer', () => fetch(...asked)) },
  }),
  key: randomUUID(),
})
const { delivery, historyWork } = await wholePartsOf(payload)
const { step } = historyWork
historyWork.step = (run) => said('step', 'stored', () => step(run))

createInterface({ input: process.stdin }).on('line', (line) => {
  const [word, lines, milliseconds] = line.split(' ')
  if (word !== 'worker') return
  say(line)
  linesLeft = Number(lines ?? 0)
  graceMs = Number(milliseconds ?? 0)
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
