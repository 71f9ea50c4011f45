import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { getPayload } from 'payload'
import { wholePartsOf } from '../../test/support/parts.js'
import { actionsListener } from '../../src/mounts/node/index.js'
import { defineAction } from '../../src/core/http/define-action.js'
import { storeConfig } from '../../test/support/store-config.js'
import { processKib } from '../process-memory.js'
import { answerQuestions } from './child.js'
import { startCpuProfile, type CpuProfile } from './cpu-profile.js'
import { cpuSeconds } from './cpu-seconds.js'
import { floorListener } from './floor.js'
import {
  barePath,
  floorPath,
  noOpAction,
  type ShopAnswer,
  type ShopQuestion,
  type ShopSetup,
} from './shop.js'

// Run by shop.ts: a store on node:http.
const setup = JSON.parse(process.argv[2] ?? '{}') as ShopSetup

const config = await storeConfig({
  kind: setup.kind,
  url: setup.url,
  options: {
    // The least that can stand behind the same front door.
    actions: [defineAction(noOpAction, ({ reply }) => reply('success'))],
    productUrl: ({ productId }) => `/tea/${productId}`,
    marketing: {
      delivery: setup.platformUrl === undefined ? 'task' : 'loop',
      apiUrl: setup.platformUrl ?? 'http://127.0.0.1:9',
      settings: {
        privateApiKey: setup.apiKey,
        postsPerAddress: 0,
        postsPerNetwork: 0,
        catalog: setup.sendsCatalog === true ? 'api' : 'feed',
      },
    },
  },
})
const payload = await getPayload({ config, key: randomUUID() })

// The same front door, and another queue behind it. Other shops' memory is measured without its modules.
if (setup.queue !== undefined) {
  const { queues } = await import('./queues.js')
  Object.assign((await wholePartsOf(payload)).outbox, await queues[setup.queue].open(setup.url))
}

const answer = actionsListener(payload)
const floor = floorListener(payload.config.secret)
const server = createServer((request, response) => {
  if (request.url === barePath) {
    request.resume()
    request.once('end', () => {
      response.setHeader('content-length', 9)
      response.end('"success"')
    })
    return
  }
  if (request.url === floorPath) floor(request, response)
  else void answer(request, response)
})
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))

/** The delay counts the wait for its own timer too. */
const lookEveryMs = 1
const delays = monitorEventLoopDelay({ resolution: lookEveryMs })

let profile: CpuProfile | undefined
const answers: Record<ShopQuestion, () => ShopAnswer | Promise<ShopAnswer>> = {
  'port?': () => (server.address() as AddressInfo).port,
  'cpu seconds?': cpuSeconds,
  'peak memory?': () => processKib('VmHWM'),
  'watch the thread'() {
    delays.enable()
    return 0
  },
  'busy?'() {
    delays.disable()
    return delays.percentile(99) / 1e6 - lookEveryMs
  },
  async 'start a profile'() {
    profile = await startCpuProfile()
    return 0
  },
  'end the profile': () => profile?.end() ?? {},
}
answerQuestions<ShopQuestion, ShopAnswer>(async (question) => answers[question]())
