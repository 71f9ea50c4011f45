import { demoPayment } from '../../../dev/payments/demo-payment.ts'
import type { Worker } from '../../../src/delivery/worker.js'
import { partsOf } from '../../../src/installation.js'
import type { EventMessage, Message } from '../../../src/marketing/message.js'
import type { StoreConnectOptions } from '../../../src/options/options.js'
import { resolveOptions } from '../../../src/options/resolve-options.js'
import { createAccountWatch } from '../../../src/order-events/account-watch.js'
import { createCartWatch } from '../../../src/order-events/cart-watch.js'
import { createSweep } from '../../../src/order-events/sweep.js'
import { sqlDatabase } from '../../../src/store/payload/database.js'
import { createShopTeller } from '../../../src/shop-events/shop-events.js'
import { createOutbox } from '../../../src/store/payload/outbox/outbox.js'
import { createSites } from '../../../src/store/payload/payload-sites.js'
import { createSettingsSource } from '../../../src/store/payload/settings.js'
import { noticeRequest } from '../../support/shipping-requests.js'
import type { DatabaseKind, StoreSetup } from '../../support/store-config.js'
import { openStore, type TestStore } from '../../support/store.js'

type Data = Record<string, unknown>

export interface ToldSend {
  key: string
  state: string
  message: Message
}

/** A test store, and what it has to tell the marketing platform. */
export interface ToldShop extends Omit<TestStore, 'api'> {
  /** A request to Payload's own API, as the extension makes it. */
  api(path: string, body: Data): Promise<Response>
  /** What is stored to be sent, in order. */
  sends(): Promise<ToldSend[]>
  /** The events among it, or those whose id begins like this. */
  events(uniqueId?: string): Promise<EventMessage['event'][]>
  forgetSends(): Promise<void>
  /** `context` goes to Payload, and is no data. */
  update(collection: string, id: number | string, data: Data & { context?: Data }): Promise<void>
  /** What the shipping platform posts of a parcel. */
  ship(reference: unknown, parcel: Record<string, string>): Promise<Response>
  /**
   * Looks for what a crash left of the last day, from beginning to end: at the moment, or after all
   * that was written has settled.
   */
  sweep(when?: 'now' | 'later'): Promise<void>
  /** Makes a cart one that was left alone for two minutes. */
  leaveAlone(cartId: number | string): Promise<void>
  /** Looks for carts that were left alone. */
  watchCarts(): Promise<void>
  /** Looks for accounts that were verified, after all that was written has settled. */
  watchAccounts(): Promise<void>
}

export async function openToldShop(
  kind: DatabaseKind,
  {
    options = {},
    ...setup
  }: Pick<StoreSetup, 'config' | 'orderHooks' | 'options' | 'userAuth' | 'userAccess'> = {},
): Promise<ToldShop> {
  const { initiatePayment, confirmOrder } = demoPayment()
  // The products of the test store have no slug.
  const named: StoreConnectOptions = { productFields: { slug: 'sku' }, ...options }
  const store = await openStore(kind, {
    ...setup,
    options: named,
    payment: { initiatePayment, confirmOrder },
  })
  const { payload } = store
  const teller = tellerOf(store, named)

  /** Resolves when what was changed so far is stored to be sent. */
  const told = () => partsOf(payload).told()

  async function sends(): Promise<ToldSend[]> {
    await told()
    const { docs } = await payload.find({
      collection: 'marketing-sends',
      sort: 'id',
      pagination: false,
    })
    return docs as unknown as ToldSend[]
  }

  return {
    ...store,
    sends,
    async events(uniqueId = '') {
      const messages = (await sends()).map(({ message }) => message)
      return messages.flatMap((message) =>
        message.kind === 'event' && message.event.uniqueId.startsWith(uniqueId)
          ? [message.event]
          : [],
      )
    },
    api: (path, body) =>
      store.api(
        new Request(`https://shop.example/api${path}`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(body),
        }),
      ),
    async forgetSends() {
      await told()
      await payload.db.deleteMany({ collection: 'marketing-sends', where: {} })
    },
    async update(collection, id, { context = {}, ...data }) {
      await payload.update({ collection, id, data, context: context, depth: 0 })
    },
    ship: (reference, parcel) =>
      store.handle(noticeRequest({ order_number: String(reference), ...parcel })),
    async sweep(when = 'later') {
      await told()
      const now = Date.now() + (when === 'now' ? 0 : teller.past.settleMs)
      await runOut(createSweep({ past: teller.past, clock: { now: () => new Date(now) } }))
    },
    async leaveAlone(cartId) {
      const updatedAt = new Date(Date.now() - 120_000).toISOString()
      await payload.db.updateOne({ collection: 'carts', id: cartId, data: { updatedAt } })
    },
    async watchCarts() {
      const now = new Date()
      const carts = teller.quietCarts
      if (carts) await runOut(createCartWatch({ carts, clock: { now: () => now } }))
    },
    async watchAccounts() {
      const now = new Date(Date.now() + teller.past.settleMs)
      await runOut(createAccountWatch({ accounts: teller.past, clock: { now: () => now } }))
    },
  }
}

/** As long as there is something to do at the moment. */
async function runOut(worker: Worker): Promise<void> {
  for (;;) {
    const step = await worker.next()
    if (!('run' in step)) return
    await step.run()
  }
}

/** As a store's own parts have it, without a clock that says when. */
function tellerOf({ payload }: TestStore, given: StoreConnectOptions) {
  const options = resolveOptions(given)
  const database = sqlDatabase(payload)
  const now = () => new Date()
  return createShopTeller({
    payload,
    options,
    database,
    settings: createSettingsSource(payload, options, { environment: process.env, now }),
    sites: createSites(payload, options, now),
    restoreLinks: partsOf(payload).restoreLinks,
    outbox: createOutbox(database),
    customersSlug: 'users',
    now,
  })
}
