import { parseArgs } from 'node:util'
import type { Handle } from '../../src/core/http/reply.js'
import { shopOrigin } from '../../test/support/browser.js'
import {
  contentTypes,
  hostileBodies,
  type BodyKind,
  type HostileBody,
} from '../../test/support/hostile-bodies.js'
import { saveOrder } from '../../test/support/orders.js'
import { noticeRequest } from '../../test/support/shipping-requests.js'
import { startDatabases } from '../../test/support/databases.js'
import { joinStore } from '../../test/support/store.js'
import { openDatabase } from '../marketing/bench-database.js'
import { report, tell } from '../goals.js'
import { median } from '../marketing/rounds.js'
import { honestBody } from './honest-bodies.js'

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    /** A run that only shows that everything here works. */
    quick: { type: 'boolean', default: false },
    /** A part of the name of the shapes to measure. */
    only: { type: 'string', default: '' },
  },
})
const rounds = values.quick ? 1 : Number(values.rounds)
const sizes = (values.quick ? [2] : [2, 16, 256]).map((kib) => kib * 1024)
const warmUpRounds = values.quick ? 1 : 20
const goal = { atMost: 5 }

/** Posts of one measurement, so that one of microseconds can be distinguished from none. */
const postsAt = (bytes: number) => (bytes > 100_000 ? 2 : 4)

interface Cost {
  cpuMs: number
  /** Everything that was allocated, garbage included: more than a post holds at any moment. */
  allocatedBytes: number
}

type MakeRequest = (
  kind: BodyKind,
  contentType: string,
  body: Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>,
) => Request

/** Each piece of a body costs time, however short it is. */
const pieceBytes = 16

const inPieces = (body: Uint8Array) =>
  new ReadableStream<Uint8Array>({
    start(controller) {
      for (let place = 0; place < body.byteLength; place += pieceBytes) {
        controller.enqueue(body.subarray(place, place + pieceBytes))
      }
      controller.close()
    },
  })

interface Shape extends HostileBody {
  /** Whether it arrives in pieces, as a client may send it. */
  isInPieces?: boolean
}

async function openShop() {
  const { kind, url } = await openDatabase(databases, 'sqlite, wal')
  const store = await joinStore(kind, url, {
    options: {
      marketing: { delivery: 'task', settings: { postsPerAddress: 0, postsPerNetwork: 0 } },
    },
  })
  const { reference } = await saveOrder(store.payload)
  const browser = store.aBrowser()
  const token = await browser.token()

  const makeRequest: MakeRequest = (kind, contentType, body) => {
    const init = { method: 'POST', body, duplex: 'half' as const }
    if (kind === 'xml') {
      return noticeRequest(
        { order_number: reference },
        { ...init, headers: { 'content-type': contentType } },
      )
    }
    const headers = {
      'content-type': contentType,
      cookie: browser.cookie,
      origin: shopOrigin,
      'x-csrf-token': token,
      'x-requested-with': 'XMLHttpRequest',
    }
    return new Request(`${shopOrigin}/actions/marketingconnect/api/track`, { ...init, headers })
  }
  return { store, makeRequest }
}

/** What a post costs, with what is read of its answer. */
async function costOf(handle: Handle, requests: readonly Request[]) {
  // Twice: the second waits for what the first gives back in the background.
  for (let round = 0; round < 2; round++) globalThis.gc?.({ type: 'minor', execution: 'sync' })
  const memory = process.memoryUsage()
  const cpu = process.cpuUsage()
  let status = 0
  for (const request of requests) {
    const response = await handle(request)
    await response.arrayBuffer()
    status = response.status
    // Any other answer was given before the body was read.
    if (status !== 200 && status !== 400) throw new Error(`A post was answered ${status}.`)
  }
  const { user, system } = process.cpuUsage(cpu)
  const after = process.memoryUsage()
  const bytes = after.heapUsed + after.external - memory.heapUsed - memory.external
  const cost: Cost = {
    cpuMs: (user + system) / 1000 / requests.length,
    allocatedBytes: bytes / requests.length,
  }
  return { cost, status }
}

const medianCost = (costs: readonly Cost[]): Cost => ({
  cpuMs: median(costs.map(({ cpuMs }) => cpuMs)),
  allocatedBytes: median(costs.map(({ allocatedBytes }) => allocatedBytes)),
})

const honestInPieces: Shape[] = [...new Set(hostileBodies.map(({ kind }) => kind))].map((kind) => ({
  kind,
  name: `an honest body in pieces of ${pieceBytes} bytes`,
  contentType: contentTypes[kind],
  make: (bytes) => honestBody(kind, bytes, 0),
  isRefused: true,
  isInPieces: true,
}))
const shapes = [...hostileBodies, ...honestInPieces].filter(({ kind, name }) =>
  `${kind} ${name}`.includes(values.only),
)
if (shapes.length === 0) throw new Error(`No shape has ${values.only} in its kind or name.`)
const kinds = [...new Set(shapes.map(({ kind }) => kind))]
const databases = await startDatabases()
const { store, makeRequest } = await openShop()
let posts = 0

const measureHonest = async (kind: BodyKind, bytes: number) => {
  const bodies = Array.from({ length: postsAt(bytes) }, () => honestBody(kind, bytes, posts++))
  const requests = bodies.map((body) => makeRequest(kind, contentTypes[kind], new Uint8Array(body)))
  const { cost, status } = await costOf(store.handle, requests)
  if (status !== 200) throw new Error(`An honest post was answered ${status}.`)
  return cost
}

const measureHostile = async ({ kind, contentType, isInPieces }: Shape, body: Buffer) => {
  const requests = Array.from({ length: postsAt(body.byteLength) }, () => {
    const bytes = new Uint8Array(body)
    return makeRequest(kind, contentType, isInPieces === true ? inPieces(bytes) : bytes)
  })
  return costOf(store.handle, requests)
}

interface Ratio {
  shape: Shape
  bytes: number
  status: number
  cpu: number
  memory: number
}

/** Honest and hostile posts in turn, so that whatever else the machine does falls on both. */
async function compare(shape: Shape, bytes: number): Promise<Ratio> {
  const body = shape.make(bytes)
  const honest: Cost[] = []
  const hostile: Cost[] = []
  let status = 0
  for (let round = -1; round < rounds; round++) {
    const honestCost = await measureHonest(shape.kind, bytes)
    const measured = await measureHostile(shape, body)
    status = measured.status
    if (round < 0) continue
    honest.push(honestCost)
    hostile.push(measured.cost)
  }
  const [base, cost] = [medianCost(honest), medianCost(hostile)]
  return {
    shape,
    bytes,
    status,
    cpu: cost.cpuMs / base.cpuMs,
    memory: cost.allocatedBytes / base.allocatedBytes,
  }
}

async function warmUp(): Promise<void> {
  for (const kind of kinds) {
    for (let round = 0; round < warmUpRounds; round++) await measureHonest(kind, 16 * 1024)
    const ofKind = shapes.filter((shape) => shape.kind === kind)
    for (const shape of ofKind) await measureHostile(shape, shape.make(16 * 1024))
  }
}

const column = (text: string) => text.padStart(7)

async function benchKind(kind: BodyKind): Promise<void> {
  console.log(`\n${kind}: times the cost of an honest post of the same size`)
  const sizeNames = sizes.map((bytes) => column(`${bytes / 1024} KiB`)).join('')
  console.log(`      CPU ${sizeNames}   memory ${sizeNames}   status`)
  const all: Ratio[] = []
  for (const shape of shapes.filter((one) => one.kind === kind)) {
    const ratios: Ratio[] = []
    for (const bytes of sizes) ratios.push(await compare(shape, bytes))
    all.push(...ratios)
    const shown = (of: 'cpu' | 'memory') =>
      ratios.map((ratio) => column(ratio[of].toFixed(2))).join('')
    const statuses = ratios.map(({ status }) => status).join(' ')
    console.log(
      `          ${shown('cpu')}          ${shown('memory')}   ${statuses}  ${shape.name}`,
    )
  }
  for (const of of ['cpu', 'memory'] as const) {
    const worst = all.reduce((most, ratio) => (ratio[of] > most[of] ? ratio : most))
    const title = of === 'cpu' ? 'CPU' : 'memory'
    report(
      `${title} of the costliest: ${worst.shape.name}, ${worst.bytes / 1024} KiB`,
      worst[of],
      goal,
    )
  }
}

console.log(`${shapes.length} hostile shapes, medians of ${rounds} rounds, SQLite`)
await warmUp()
for (const kind of kinds) {
  for (const bytes of sizes) {
    const cost = medianCost(await Promise.all([measureHonest(kind, bytes)]))
    tell(`ms of CPU of an honest post, ${kind}, ${bytes / 1024} KiB`, cost.cpuMs.toFixed(2))
  }
}
for (const kind of kinds) await benchKind(kind)
await store.close()
await databases.stop()
process.exit(0)
