import type { DatabaseKind } from '../../test/support/store-config.js'
import { joinStore } from '../../test/support/store.js'
import { processKib } from '../process-memory.js'

/** What one process saw of the feed. Bytes of memory in KiB. */
export interface SeenFeed {
  startKib: number
  peakKib: number
  bytes: number
  products: number
  firstByteMs: number
  allMs: number
  againMs: number
  /** Of a third answer, for who has the feed. */
  conditionalStatus: number
}

// Run by run.ts: reads the feed of a store twice, as a client does that throws away what it has read.
const [kind = 'sqlite', url = ''] = process.argv.slice(2)
const { handle } = await joinStore(kind as DatabaseKind, url, {
  options: { productUrl: ({ productId }) => `/tea/${productId}` },
})
const feed = 'https://shop.example/actions/marketingconnect/catalog/products'
const get = (headers = {}) => handle(new Request(feed, { headers }))

async function read() {
  const begin = performance.now()
  const response = await get()
  let bytes = 0
  let firstByteMs = NaN
  for await (const chunk of response.body ?? []) {
    if (bytes === 0) firstByteMs = performance.now() - begin
    bytes += (chunk as Uint8Array).byteLength
  }
  const etag = response.headers.get('etag') ?? ''
  return { bytes, firstByteMs, allMs: performance.now() - begin, etag }
}

const startKib = processKib('VmRSS')
const { bytes, firstByteMs, allMs } = await read()
const peakKib = processKib('VmHWM')
const again = await read()
if (again.bytes !== bytes) throw new Error(`The feed had ${bytes} bytes, and then ${again.bytes}.`)
const { length: products } = (await (await get()).json()) as unknown[]
const { status } = await get({ 'if-none-match': again.etag })
const seen: SeenFeed = {
  startKib,
  peakKib,
  bytes,
  products,
  firstByteMs,
  allMs,
  againMs: again.allMs,
  conditionalStatus: status,
}
process.stdout.write(JSON.stringify(seen))
process.exit(0)
