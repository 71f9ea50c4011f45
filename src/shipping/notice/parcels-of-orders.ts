import { sql, type SQL } from 'drizzle-orm'
import { column, type Row } from '../../core/database/database.js'
import { jsonDialect, parsedJson, type Values } from '../../core/database/json-rows.js'
import { textOf } from '../../core/payload/document-value.js'
import type { Shop } from '../../core/shop.js'
import type { Parcel, Tracking } from '../../shop/orders/happening.js'
import type { ParcelState, StateOfParcel } from '../../shop/orders/parcel-state.js'
import type { ShippingSettings } from '../shipping-settings.js'
import { noticesSlug } from './notice-collection.js'
import { locateTracking, trackingTable, type TrackingPlace } from './tracking-place.js'

/** What has been shipped of orders, for whoever reads orders: further columns of theirs, and what those say. */
export function createParcelsOfOrders(shop: Shop, settingsOf: () => Promise<ShippingSettings>) {
  const parcels = parcelsOf(shop)
  const json = jsonDialect(shop.database)
  return async () => {
    const settings = await settingsOf()
    const located = locateTracking(shop, settings)
    const tracking = 'place' in located ? trackingOf(shop, located.place) : sql`null`
    return {
      shippedStatus: settings.statusHandle,
      columns: { parcels, tracking },
      read: (row: Row): { parcels: Parcel[]; tracking: Tracking | undefined } => ({
        parcels: json.parse(row.parcels).map((parcel) => toParcel(parcel as Values)),
        tracking: row.tracking === null ? undefined : toTracking(json.parse(row.tracking)),
      }),
    }
  }
}

function parcelsOf({ database, options }: Shop): SQL {
  const notices = database.table(noticesSlug)
  const order = column(database.table(options.collections.orders), 'id')
  const { array, list } = jsonDialect(database)
  const states = database.table(noticesSlug, 'states')
  const state = array(['state', 'at', 'receivedAt', 'isOff'].map((part) => column(states, part)))
  const isOfParcel = sql`${column(states, '_parentID')} = ${column(notices, 'id')}`
  const parts = [
    ...['id', 'createdAt', 'itemsLeft', 'state', 'estimatedDelivery'],
    ...['carrier', 'service', 'trackingNumber'],
  ]
  const parcel = array([
    list(state, sql`${states} where ${isOfParcel}`, column(states, 'at')),
    ...parts.map((part) => column(notices, part)),
  ])
  const isOfOrder = sql`${column(notices, 'order')} = ${order}`
  return list(parcel, sql`${notices} where ${isOfOrder}`, column(notices, 'id'))
}

function toParcel([states, id, createdAt, itemsLeft, state, expected, ...values]: Values): Parcel {
  const tracking = toTracking(values)
  return {
    id: tracking.trackingNumber || String(id),
    ...tracking,
    shippedAt: new Date(String(createdAt)),
    ...(itemsLeft !== null && { itemsLeft: Number(itemsLeft) }),
    ...(state !== null && { state: state as ParcelState }),
    ...(expected !== null && { estimatedDelivery: String(expected).slice(0, 10) }),
    // On SQLite a list within a list is a text.
    states: (parsedJson(states) as Values[]).map(toState),
  }
}

const toState = ([state, at, receivedAt, isOff]: Values): StateOfParcel => ({
  state: state as ParcelState,
  at: new Date(String(at)),
  receivedAt: new Date(String(receivedAt)),
  isOff: Boolean(isOff),
})

function trackingOf(shop: Shop, place: TrackingPlace): SQL {
  const { database, options } = shop
  const { table, isEntryOf } = trackingTable(shop, place)
  const parts = [place.carrier, place.service, place.trackingNumber]
  const values = jsonDialect(database).array(parts.map((part) => column(table, part)))
  const order = column(database.table(options.collections.orders), 'id')
  return sql`(select ${values} from ${table} where ${isEntryOf(sql`${order}`)}
    order by ${column(table, '_order')} limit 1)`
}

const toTracking = ([carrier, service, trackingNumber]: Values): Tracking => ({
  carrier: textOf(carrier) ?? '',
  service: textOf(service) ?? '',
  trackingNumber: textOf(trackingNumber) ?? '',
})
