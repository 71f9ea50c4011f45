import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createInterface } from 'node:readline'
import { getPayload } from 'payload'
import { wholePartsOf } from './parts.js'
import { actionsListener } from '../../src/mounts/node/index.js'
import { storeConfig, type DatabaseKind } from './store-config.js'

// A store in a process of its own, to be killed or paused while it works. It says `ready` and reads
// lines: for `web` it takes posts and says `listening` and its port; for `worker` it delivers and
// says `delivering`, then `call` and the URL before each call of the platform and `answer` after it; for
// `shop` it does both, and says `listening` first; anything else it says again.
const [kind = 'sqlite', url = '', apiUrl = '', privateApiKey = ''] = process.argv.slice(2)

// Pipes are written to at once, so what was said has arrived, whatever happens next.
const say = (line: string) => process.stdout.write(`${line}\n`)

const send = globalThis.fetch
globalThis.fetch = async (...request) => {
  const [asked] = request
  say(`call ${asked instanceof Request ? asked.url : String(asked)}`)
  try {
    return await send(...request)
  } finally {
    say('answer')
  }
}

const config = await storeConfig({
  kind: kind as DatabaseKind,
  url,
  options: {
    productUrl: ({ productId }) => `/tea/${productId}`,
    marketing: {
      apiUrl,
      settings: { privateApiKey, postsPerAddress: 0, postsPerNetwork: 0 },
    },
  },
})
const payload = await getPayload({ config, key: randomUUID() })
const { delivery } = await wholePartsOf(payload)

const answer = actionsListener(payload)
const server = createServer((request, response) => void answer(request, response))

createInterface({ input: process.stdin }).on('line', (line) => {
  if (line === 'web') takePosts()
  else if (line === 'worker') deliver()
  else if (line === 'shop') takePosts(() => delivery.start())
  else say(line)
})
say('ready')

function takePosts(then = () => {}): void {
  server.listen(0, '127.0.0.1', () => {
    say(`listening ${(server.address() as AddressInfo).port}`)
    then()
  })
}

function deliver(): void {
  delivery.start()
  say('delivering')
}
