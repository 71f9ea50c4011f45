import { randomUUID } from 'node:crypto'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import { getPayload } from 'payload'
import { handlerOf, partsOf } from '../../src/installation.js'
import { aLine, anAddress, anOrder } from './orders.js'
import { noticeRequest } from './shipping-requests.js'
import { storeConfig, type DatabaseKind } from './store-config.js'

// A store in a process of its own, to be killed while it works. It says `ready` and reads lines: for
// `web` it sells and says `selling`, then `change` before each change of an order, `changed` when it is
// written, `stored` when its hooks have run and a transaction is not committed yet, and `done` after it;
// for `worker` it delivers and says `delivering`, then `call` before each call of the platform and
// `answer` after it.
const [kind = 'sqlite', url = '', apiUrl = '', privateApiKey = ''] = process.argv.slice(2)

interface StoredOrder {
  id: number
  reference: string
  statusChanges: { status: string; placed?: true }[]
  shipments: { docs: unknown[] }
}

const parcel = 'parcel'

/** What becomes of orders after they were placed. */
const courses = [
  ['completed', parcel, parcel, 'refunded'],
  ['cancelled', 'processing', 'cancelled'],
  [parcel, 'completed', 'refunded', 'processing', 'refunded'],
  [parcel, parcel, parcel],
]

// Pipes are written to at once, so what was said has arrived, whatever happens next.
const say = (line: string) => process.stdout.write(`${line}\n`)

/** As a hook that asks a service: a kill has time to fall here. */
async function linger(line: string): Promise<void> {
  say(line)
  await pause(5)
}

const send = globalThis.fetch
globalThis.fetch = (...request) => said('call', 'answer', () => send(...request))

const config = await storeConfig({
  kind: kind as DatabaseKind,
  url,
  options: {
    marketing: {
      apiUrl,
      settings: { privateApiKey, builtInEvents: { updatedCart: false } },
    },
  },
  orderHooks: {
    // The store's own hooks run before those that tell.
    afterChange: [() => linger('changed')],
    afterOperation: [
      async ({ operation, req, result }) => {
        if (operation === 'create' || operation === 'updateByID') {
          await linger('stored')
          // As a store's hook that reads on another connection: the commit has to wait for it.
          await req.payload.count({ collection: 'products' })
        }
        return result
      },
    ],
  },
})
const payload = await getPayload({ config, key: randomUUID() })
const handle = handlerOf(payload)

createInterface({ input: process.stdin }).on('line', (role) => {
  if (role === 'web') void sell()
  else if (role === 'worker') deliver()
})
say('ready')

function deliver(): void {
  partsOf(payload).delivery.start()
  say('delivering')
}

/** Goes on with the order that the last process was at when it was killed. */
async function sell(): Promise<void> {
  say('selling')
  for (;;) {
    const order = await newest()
    const next = order && nextStep(order)
    if (order === undefined || next === undefined) {
      await buy(order?.id ?? 0)
    } else if (next === parcel) {
      await said('change', 'done', () => ship(order))
    } else {
      await said('change', 'done', () => save(order.id, { status: next }))
    }
  }
}

async function newest(): Promise<StoredOrder | undefined> {
  const { docs } = await payload.find({ collection: 'orders', sort: '-id', limit: 1, depth: 0 })
  return (docs as unknown as StoredOrder[])[0]
}

/** Undefined when it has come to its end. */
function nextStep({ id, statusChanges, shipments }: StoredOrder): string | undefined {
  const moved = statusChanges.filter(({ status, placed }) => !placed && status !== 'shipped')
  return courses[id % courses.length]?.[moved.length + shipments.docs.length]
}

async function buy(sold: number): Promise<void> {
  const { docs } = await payload.find({ collection: 'products', limit: 1, depth: 0 })
  const cart = await payload.create({
    collection: 'carts',
    data: { items: [{ product: docs[0]?.id, quantity: 1 + (sold % 3) }], currency: 'USD' },
  })
  const customerEmail = `buyer-${cart.id}@example.com`
  const transaction = await payload.create({
    collection: 'transactions',
    data: {
      cart: cart.id,
      customerEmail,
      currency: 'USD',
      billingAddress: anAddress(),
      paymentMethod: 'invoice',
    },
  })
  const items = Array.from({ length: 1 + (sold % 3) }, (_, line) => aLine({ sku: `TEA-${line}` }))
  const data = anOrder({ customerEmail, items, transactions: [transaction.id] })
  await said('change', 'done', () => payload.create({ collection: 'orders', data, depth: 0 }))
  // A save without a change sends nothing.
  if (sold > 0) await save(sold, { internalNotes: `Before ${String(cart.id)}` })
}

const save = (id: number, data: Record<string, unknown>) =>
  payload.update({ collection: 'orders', id, data, depth: 0 })

async function ship({ id, reference, shipments }: StoredOrder): Promise<void> {
  const trackingNumber = `1Z${id}-${shipments.docs.length}`
  const notice = { order_number: reference, carrier: 'UPS', tracking_number: trackingNumber }
  const { status } = await handle(noticeRequest(notice))
  if (status !== 200) throw new Error(`A shipment was answered ${status}.`)
}

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
