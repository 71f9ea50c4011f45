import { createInterface } from 'node:readline'
import { randomUUID } from 'node:crypto'
import { getPayload } from 'payload'
import { handlerOf } from '../../src/installation.js'
import { noticeRequest } from './shipping-requests.js'
import { storeConfig, type DatabaseKind } from './store-config.js'

// A store in a process of its own, to be killed while it works. It says `ready`, reads one line of
// notices, and sends them one after another: `sending` before each, `stored` after its answer.
const [kind = 'sqlite', url = ''] = process.argv.slice(2)
const config = await storeConfig({ kind: kind as DatabaseKind, url })
const payload = await getPayload({ config, key: randomUUID() })
const handle = handlerOf(payload)

// Pipes are written to at once, so what was said has arrived, whatever happens next.
const say = (line: string) => process.stdout.write(`${line}\n`)

createInterface({ input: process.stdin }).once('line', (line) => {
  void sendAll(JSON.parse(line) as { reference: string; body: string }[])
})
say('ready')

async function sendAll(notices: { reference: string; body: string }[]): Promise<void> {
  for (const { reference, body } of notices) {
    say(`sending ${reference}`)
    const response = await handle(noticeRequest({ order_number: reference }, { body }))
    say(`${response.ok ? 'stored' : 'refused'} ${reference}`)
  }
  process.exit(0)
}
