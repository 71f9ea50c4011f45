import { afterEach, describe, expect, it } from 'vitest'
import { personPath } from '../../../src/merchant/people/person.js'
import { catchUpFeeds } from '../../support/catch-up-feeds.js'
import { aTrackEvent, shipStationSigner } from '../../support/tracking-webhooks.js'
import { databaseKinds } from '../../support/store.js'
import { adalgisa, openErasureShop, type ErasureShop } from './erasure-shop.js'

describe.each(databaseKinds)('An erased person with a parcel on its way (%s)', (kind) => {
  let shop: ErasureShop
  afterEach(() => shop.close())
  const names = Object.values(adalgisa)

  /** An account whose order ShipStation has shipped, and what ShipStation reports of the parcel. */
  async function signUp() {
    shop = await openErasureShop(kind, { shipping: { settings: { trackingUpdates: true } } })
    const shipStation = shipStationSigner(shop.now)
    shop.network = (request, ask) => shipStation.answerTo(request) ?? ask(request)
    const report = async (status: Record<string, string>) => {
      shop.move(60_000)
      const occurred_at = new Date(shop.now()).toISOString()
      const parcel = { tracking_number: '9400111206213835724410', carrier_code: 'usps' }
      const event = JSON.stringify(aTrackEvent({ ...status, ...parcel, occurred_at }))
      const hers = event
        .replace('A LOVELACE', adalgisa.lastName)
        .replace('HOBOKEN', adalgisa.street)
      expect((await shop.handle(shipStation.webhook(hers))).status).toBe(200)
    }
    const { order } = await shop.signUp()
    await report({ status_code: 'IT' })
    return { order, report }
  }
  const told = async () => {
    shop.move(16_000)
    await catchUpFeeds(shop.payload)
    return (await shop.sends()).flatMap(({ message }) =>
      message.kind === 'event' && message.event.name.startsWith('Shipment ')
        ? [message.event.name]
        : [],
    )
  }
  const states = async () => {
    const { docs } = await shop.payload.find({ collection: 'shipping-notices' })
    return (docs as { states?: { state: string }[] }[]).map((notice) =>
      notice.states?.map(({ state }) => state),
    )
  }

  it.each(['anonymise', 'keep'] as const)(
    'leaves nothing of it but its states (%s), and nobody is told of a later one',
    async (orders) => {
      const { order, report } = await signUp()
      expect(await told()).toEqual(['Shipment In Transit'])
      // It comes before the erasure, and is not told yet.
      await report({ status_code: 'AT' })
      const erased = await shop.post('/marketing-erasures/erase', {
        ...{ email: adalgisa.email, orders },
      })
      expect(erased.status).toBe(201)
      await report({ status_code: 'SP' })
      expect(await told()).toEqual([])
      await shop.finish()
      await report({ status_code: 'EX', status_detail_code: 'PARCEL_LOST' })
      expect(await told()).toEqual([])

      expect(await states()).toEqual([['in-transit', 'attempted', 'ready-for-pickup', 'lost']])
      const kept = orders === 'keep' ? ['orders', 'transactions'] : []
      expect((await shop.search(names)).toSorted()).toEqual(kept)
      const page = await shop.post(personPath, { by: 'order', value: String(order.id) })
      expect(page.status).toBe(404)
      const { open } = await shop.parts.alerts.matters()
      const failed = open.filter(({ name }) => name === 'parcelFailed')
      // What became of a kept order's parcel is still the merchant's matter.
      expect(failed).toHaveLength(orders === 'keep' ? 1 : 0)
    },
  )
})
