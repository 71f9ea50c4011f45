import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getPayload } from 'payload'
import { partsOf } from '../../src/installation.js'
import { actionsListener } from '../../src/node/index.js'
import { defineAction } from '../../src/options/store-action.js'
import { sqlDatabase } from '../../src/store/payload/database.js'
import { sendTable } from '../../src/store/payload/outbox/send-table.js'
import { storeSends } from '../../src/store/payload/outbox/store-sends.js'
import { storeConfig } from '../../test/support/store-config.js'
import { answerQuestions } from './child.js'
import { barePath, noOpAction, type ShopSetup } from './shop.js'

// Run by shop.ts: a store on node:http. Answers with its port.
const setup = JSON.parse(process.argv[2] ?? '{}') as ShopSetup

const config = await storeConfig({
  kind: setup.kind,
  url: setup.url,
  options: {
    // The least that can stand behind the same door.
    actions: [defineAction(noOpAction, ({ reply }) => reply('success'))],
    marketing: {
      delivery: setup.platformUrl === undefined ? 'task' : 'loop',
      apiUrl: setup.platformUrl ?? 'http://127.0.0.1:9',
      settings: { privateApiKey: setup.apiKey, postsPerAddress: 0, postsPerNetwork: 0 },
    },
  },
})
const payload = await getPayload({ config, key: randomUUID() })

if (setup.writes === 'one a post') {
  // The same door in front of an outbox that has every post wait for a write of its own.
  const sends = sendTable(sqlDatabase(payload))
  Object.assign(partsOf(payload).outbox, { store: storeSends.bind(undefined, sends) })
}

const answer = actionsListener(payload)
const server = createServer((request, response) => {
  if (request.url === barePath) {
    request.resume()
    request.once('end', () => {
      response.setHeader('content-length', 9)
      response.end('"success"')
    })
    return
  }
  void answer(request, response)
})
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))

answerQuestions<'port?', number>(() => Promise.resolve((server.address() as AddressInfo).port))
