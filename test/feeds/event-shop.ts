import type { EventMessage, Message } from '../../src/klaviyo/message.js'
import { catchUpFeeds } from '../support/catch-up-feeds.js'
import { noticeRequest } from '../support/shipping-requests.js'
import type { DatabaseKind, StoreSetup } from '../support/store-config.js'
import { openStore, type TestStore } from '../support/store.js'

type Data = Record<string, unknown>

export interface StoredSend {
  key: string
  state: string
  message: Message
}

/** A test store, and what it sends to Klaviyo. */
export interface EventShop extends Omit<TestStore, 'api'> {
  /** A request to Payload's own API, as the extension makes it. */
  api(path: string, body: Data): Promise<Response>
  /** Any request to Payload's own API. */
  request: TestStore['api']
  /** What is stored to be sent, in order, since it was last forgotten. */
  sends(): Promise<StoredSend[]>
  /** The events among it, or those whose id begins like this. */
  events(uniqueId?: string): Promise<EventMessage['event'][]>
  forgetSends(): Promise<void>
  /** Empties the shop, also of what is stored to be sent. */
  beginAnew(): Promise<void>
  /** Deletes what is stored to be sent, as if a crash had come before. */
  loseSends(): Promise<void>
  /** `context` goes to Payload, and is no data. */
  update(collection: string, id: number | string, data: Data & { context?: Data }): Promise<void>
  /** What ShipStation posts of a parcel. */
  ship(reference: unknown, parcel: Record<string, string>): Promise<Response>
  /** Has the feeds walk all recent changes again, as those of a new process do, after these have settled. */
  restartFeeds(): Promise<void>
  /** Makes a cart one that was left alone for two minutes. */
  leaveAlone(cartId: number | string): Promise<void>
  /** Looks for carts that were left alone. */
  watchCarts(): Promise<void>
  /** Looks for accounts that were verified, after what was written has settled. */
  watchAccounts(): Promise<void>
}

export async function openEventShop(
  kind: DatabaseKind,
  {
    options = {},
    effects = {},
    ...setup
  }: Pick<
    StoreSetup,
    'config' | 'effects' | 'orderHooks' | 'options' | 'userAuth' | 'userAccess'
  > = {},
): Promise<EventShop> {
  let settled = 0
  let passed = 0
  const store = await openStore(kind, {
    ...setup,
    // The products of the test store have no slug.
    options: { productFields: { slug: 'sku' }, ...options },
    effects: {
      now: () => new Date(Date.now() + settled),
      steadyMs: () => performance.now() + passed,
      ...effects,
    },
  })
  const { payload } = store
  /** Resolves when what was changed so far is stored to be sent. */
  async function reported(): Promise<void> {
    settled = settledMs
    try {
      await catchUpFeeds(payload)
    } finally {
      settled = 0
    }
  }
  async function walkAgain(): Promise<void> {
    passed += walkAgainMs
    await reported()
  }
  // As when the store is installed.
  await reported()
  let forgotten = 0

  async function loseSends(): Promise<void> {
    await reported()
    forgotten = 0
    await payload.db.deleteMany({ collection: 'marketing-sends', where: {} })
  }

  async function sends(): Promise<StoredSend[]> {
    await reported()
    const { docs } = await payload.find({
      collection: 'marketing-sends',
      where: { id: { greater_than: forgotten } },
      sort: 'id',
      pagination: false,
    })
    return docs as unknown as StoredSend[]
  }

  return {
    ...store,
    request: (request) => store.api(request),
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
      await reported()
      const { docs } = await payload.find({ collection: 'marketing-sends', sort: '-id', limit: 1 })
      forgotten = Number(docs[0]?.id ?? 0)
    },
    async beginAnew() {
      for (const collection of ['orders', 'carts', 'users'] as const)
        await payload.db.deleteMany({ collection, where: {} })
      await loseSends()
    },
    loseSends,
    async update(collection, id, { context = {}, ...data }) {
      await payload.update({ collection, id, data, context: context, depth: 0 })
    },
    ship: (reference, parcel) =>
      store.handle(noticeRequest({ order_number: String(reference), ...parcel })),
    async restartFeeds() {
      await reported()
      await walkAgain()
    },
    async leaveAlone(cartId) {
      passed += walkAgainMs
      const updatedAt = new Date(Date.now() - 120_000).toISOString()
      await payload.db.updateOne({ collection: 'carts', id: cartId, data: { updatedAt } })
    },
    watchCarts: walkAgain,
    watchAccounts: reported,
  }
}

/** An account takes less to be written on SQLite; and less than the feeds look back. */
const settledMs = 16_000

/** After this time the feeds walk all recent changes again. */
const walkAgainMs = 6 * 60_000
