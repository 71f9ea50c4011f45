import { beforeEach, onTestFinished } from 'vitest'
import { catchUpFeeds } from '../../support/catch-up-feeds.js'
import { noticeRequest } from '../../support/shipping-requests.js'
import {
  openSimulatedStore,
  simulatedStore,
  type SimulatedSetup,
  type SimulatedStore,
} from '../../support/simulated-store.js'
import type { DatabaseKind } from '../../support/store-config.js'

type Data = Record<string, unknown>

export type EventShop = ReturnType<typeof withFeeds>

/** A simulated store, and what its feeds find. What there was before a test is reported, and lost. */
export function eventShop(kind: DatabaseKind, setup?: SimulatedSetup): EventShop {
  const shop = withFeeds(simulatedStore(kind, setup))
  beforeEach(() => shop.loseSends())
  return shop
}

/** One for a single test. */
export async function openEventShop(
  kind: DatabaseKind,
  setup?: SimulatedSetup,
): Promise<EventShop> {
  const shop = withFeeds(await openSimulatedStore(kind, setup))
  onTestFinished(() => shop.close())
  await shop.loseSends()
  return shop
}

function withFeeds(store: SimulatedStore) {
  /** What is stored to be sent, once what was saved has settled: an account takes 15 seconds on SQLite. */
  async function reported() {
    store.move(16_000)
    await catchUpFeeds(store.payload)
    return store.sends()
  }
  return Object.assign(store, {
    reported,
    /** The events among it, or those whose id begins like this. */
    async events(uniqueId = '') {
      const messages = (await reported()).map(({ message }) => message)
      return messages.flatMap((message) =>
        message.kind === 'event' && message.event.uniqueId.startsWith(uniqueId)
          ? [message.event]
          : [],
      )
    },
    /** Deletes what is stored to be sent, as if a crash had come before. */
    async loseSends() {
      await reported()
      await store.payload.db.deleteMany({ collection: 'marketing-sends', where: {} })
    },
    /** Has the feeds read all recent changes again, as those of a new process do. */
    async restartFeeds() {
      await reported()
      store.move(6 * 60_000)
      await reported()
    },
    /** Nobody touches the carts for two minutes. */
    async leaveCarts() {
      store.move(120_000)
      await reported()
    },
    /** A second later. `context` goes to Payload, and is no data. */
    async update(collection: string, id: number | string, { context = {}, ...data }: Data) {
      store.move(1_000)
      await store.payload.update({ collection, id, data, context: context as Data, depth: 0 })
    },
    /** What ShipStation posts of a parcel, a second later. */
    ship(reference: string, parcel: Record<string, string>): Promise<Response> {
      store.move(1_000)
      return store.handle(noticeRequest({ order_number: reference, ...parcel }))
    },
  })
}
