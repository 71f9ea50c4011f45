import { beforeEach, expect } from 'vitest'
import { saveOrder, type SavedOrder } from '../../support/orders.js'
import type { DatabaseKind } from '../../support/store-config.js'
import type { SimulatedSetup } from '../../support/simulated-store.js'
import type { TestStore } from '../../support/store.js'
import { shipStationSigner } from '../../support/tracking-webhooks.js'
import { eventShop } from '../../marketing/feeds/event-shop.js'

type Data = Record<string, unknown>

export const minute = 60_000

/** A simulated store with tracking updates, and ShipStation, which signs webhooks, behind its network. */
export function trackingShop(kind: DatabaseKind, { options, ...setup }: SimulatedSetup = {}) {
  const shop = eventShop(kind, {
    cleared: ['shipping-notices'],
    ...setup,
    options: { ...options, shipping: { settings: { trackingUpdates: true } } },
  })
  let shipStation = shipStationSigner(shop.now)
  beforeEach(() => {
    shipStation = shipStationSigner(shop.now)
    shop.network = (request, ask) => shipStation.answerTo(request) ?? ask(request)
  })
  return Object.assign(shop, {
    shipStation: () => shipStation,
    /** An order of which ShipStation has shipped parcels of UPS. */
    async shipped(...trackingNumbers: string[]): Promise<SavedOrder> {
      const order = await saveOrder(shop.payload)
      for (const tracking_number of trackingNumbers) {
        const shippedIt = { carrier: 'UPS', service: 'Ground', tracking_number }
        expect((await shop.ship(order.reference, shippedIt)).status).toBe(200)
      }
      return order
    },
    /** Posts a webhook, and expects it to be taken. */
    async track(event: Data, { handle }: Pick<TestStore, 'handle'> = shop): Promise<void> {
      const response = await handle(shipStation.webhook(event))
      expect(response.status, await response.clone().text()).toBe(200)
    },
    /** The parcels as an admin reads them, by their tracking numbers. */
    async parcels(): Promise<Record<string, Data>> {
      const { docs } = await shop.payload.find({
        collection: 'shipping-notices',
        sort: 'id',
        depth: 0,
        pagination: false,
      })
      return Object.fromEntries(
        (docs as unknown as Data[]).map((parcel) => [
          String(parcel.trackingNumber),
          {
            state: parcel.state,
            movedAt: parcel.movedAt,
            states: Object.fromEntries(
              (parcel.states as { state: string; at: string }[]).map(({ state, at }) => [
                state,
                at,
              ]),
            ),
          },
        ]),
      )
    },
  })
}
