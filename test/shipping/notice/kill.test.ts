import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { BasePayload } from 'payload'
import { saveOrder, type SavedOrder } from '../../support/orders.js'
import { databaseKinds, joinStore, openStore, type TestStore } from '../../support/store.js'
import { queueRecorders, type NoticeToSend, type RecorderQueue } from './recorder.js'
import { shipNotice, entryOfDocument } from './ship-notice-document.js'
import { notify } from './stored-shipment.js'

/** `NOTICE_KILLS=500 npx vitest run test/shipping/notice/kill` kills more often. */
const kills = Number(process.env.NOTICE_KILLS ?? 2)
const seed = Number(process.env.SEED ?? 20261003)

/** More orders than a process records before it is killed. */
const ordersAtOnce = 30
const skus = Array.from({ length: 40 }, (_, index) => `SKU-${index}`)

const noticeOf = ({ reference }: SavedOrder): NoticeToSend => ({
  reference,
  body: shipNotice(
    { OrderNumber: reference },
    skus.map((sku) => ({ SKU: sku, Name: `Name of ${sku}`, Quantity: '1' })),
  ),
})

describe.each(databaseKinds)('status, entry and history are written together (%s)', (kind) => {
  let store: TestStore
  let recorders: RecorderQueue
  beforeAll(async () => {
    store = await openStore(kind)
    recorders = queueRecorders({ kind, url: store.url, count: kills })
  })
  afterAll(async () => {
    await recorders.stop()
    await store.close()
  })

  const saveSome = async (count: number) => {
    const orders: SavedOrder[] = []
    for (let index = 0; index < count; index++) orders.push(await saveOrder(store.payload))
    return orders
  }

  it(
    `all or nothing, also after a kill: ${kills} kills, seed ${seed}`,
    { timeout: 60_000 + kills * 6000 },
    async () => {
      const random = randomNumbers(seed)
      const stored = new Set<string>()
      const orders: SavedOrder[] = []

      for (let kill = 1; kill <= kills; kill++) {
        const isOpen = ({ reference }: SavedOrder) => !stored.has(reference)
        orders.push(...(await saveSome(ordersAtOnce - orders.filter(isOpen).length)))
        const recorder = await recorders.next()
        const moment = { lines: 1 + random(12), milliseconds: random(20) }
        const notices = orders.filter(isOpen).map(noticeOf)
        const answered = await recorder.killWhileSending(notices, moment)
        for (const reference of answered) stored.add(reference)

        const after = `after kill ${kill} of seed ${seed}, at ${JSON.stringify(moment)}`
        const found = await inspect(store, orders)
        const halves = found.filter(({ parts }) => parts !== 'nothing' && parts !== 'all')
        expect(halves, after).toEqual([])
        const lost = found.filter(
          ({ reference, parts }) => stored.has(reference) && parts !== 'all',
        )
        expect(lost, `answered, but not there ${after}`).toEqual([])
      }

      for (const order of orders) {
        const { body } = noticeOf(order)
        await notify(store, {}, { body })
      }
      const found = await inspect(store, orders)
      expect(found.filter(({ parts }) => parts !== 'all')).toEqual([])
    },
  )
})

/** What a fresh connection finds of each order's shipment. */
async function inspect({ kind, url }: TestStore, orders: SavedOrder[]) {
  const witness = await joinStore(kind, url)
  try {
    const [documents, notices] = [
      await readAll(witness.payload, 'orders'),
      await readAll(witness.payload, 'shipping-notices'),
    ]
    return orders.map(({ id, reference }) => {
      const { status, tracking } = documents.find((order) => order.id === id) ?? {}
      const history = notices.filter(({ order }) => order === id)
      return { reference, parts: describeParts({ status, tracking, history }) }
    })
  } finally {
    await witness.close()
  }
}

interface Stored {
  id: unknown
  order?: unknown
  status?: unknown
  tracking?: object[]
  trackingNumber?: unknown
  lines?: { sku: unknown }[]
}

async function readAll(payload: BasePayload, collection: string): Promise<Stored[]> {
  const { docs } = await payload.find({ collection, depth: 0, pagination: false })
  return docs
}

function describeParts(found: {
  status: unknown
  tracking: object[] | undefined
  history: Stored[]
}): string {
  const { status, tracking = [], history } = found
  if (status === 'processing' && tracking.length === 0 && history.length === 0) return 'nothing'

  const [entry, notice] = [tracking[0] as Stored | undefined, history[0]]
  const isWhole =
    status === 'shipped' &&
    tracking.length === 1 &&
    entry?.trackingNumber === entryOfDocument.trackingNumber &&
    history.length === 1 &&
    notice?.trackingNumber === entryOfDocument.trackingNumber &&
    notice.lines?.map(({ sku }) => sku).join() === skus.join()
  return isWhole ? 'all' : JSON.stringify(found)
}

/** Whole numbers below a limit, the same ones for the same seed (mulberry32). */
function randomNumbers(seedOfRow: number): (limit: number) => number {
  let state = seedOfRow
  return (limit) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit
  }
}
