import { sql } from 'drizzle-orm'
import { column, momentOf, type Database } from '../core/database/database.js'
import type { DocumentId } from '../core/database/document-id.js'
import type { CachedValue } from '../core/database/cached-value.js'
import type { LoginThrottle } from '../core/http/login-throttle.js'
import { readStored, storedMoment } from '../core/database/stored-value.js'
import { ordersNamed } from '../core/matter.js'
import type { Shop } from '../core/shop.js'
import { isFailureOf, skippedOrdersSlug } from './export/skipped-orders.js'
import { noticesSlug } from './notice/notice-collection.js'
import type { ShipmentLog } from './notice/shipment-log.js'
import type { ShipStationRequests } from './shipstation-requests.js'
import { loginWithRightUsername } from './shipping-access.js'
import { shippingSettingsSlug, type ShippingSettings } from './shipping-settings.js'
import { createWaitingOrders } from './waiting-orders.js'
import { createWatchedPulls } from './watched-pulls.js'

/** What shipping has built that shows whether it works. */
interface Watched {
  shippingSettings: CachedValue<ShippingSettings>
  shipStation: ShipStationRequests
  shippingThrottle: Pick<LoginThrottle, 'lastOfKind'>
  shipments: Pick<ShipmentLog, 'hasStatus' | 'locateEntry'>
  hasStoreField: (field: string) => boolean
  recheckSkipped: (which: { failuresOnly: boolean }) => Promise<void>
}

/** What is read of shipping, and the statuses of orders that have ended. */
export interface ShippingFacts extends Awaited<ReturnType<ReturnType<typeof createShippingFacts>>> {
  endingStatuses: () => Promise<readonly string[]>
}

/** Reads what shows whether ShipStation works: its present settings, its last requests, and what waits for it. */
export function createShippingFacts(shop: Shop, watched: Watched) {
  const { database } = shop
  const { shippingSettings, shipStation, recheckSkipped } = watched
  const orders = createWaitingOrders(shop)
  const pulls = createWatchedPulls(shop)
  return async () => {
    await recheckSkipped({ failuresOnly: true })
    const settings = await shippingSettings.get()
    const [settingsSavedAt, lastPull, failures, lastShipment, skipped, refusedAt] =
      await Promise.all([
        readSavedAt(database),
        shipStation.lastPull(),
        shipStation.lastFailures(),
        readLastShipment(database),
        readSkipped(database),
        readRefusedAt(shop, watched),
      ])
    return {
      settings,
      settingsProblem: settingsProblem(settings, watched),
      settingsSavedAt,
      lastPull,
      failures,
      lastShipment,
      skipped,
      /** When a login with ShipStation's username was last refused; undefined when that is not known. */
      refusedAt,
      orders,
      pulls,
    }
  }
}

/** Mistakes in the settings that make ShipStation's requests fail or lose tracking numbers. */
export type ShippingSettingsProblem =
  'store-field' | 'blank-name' | 'shipped-status' | 'tracking-field'

function settingsProblem(
  settings: ShippingSettings,
  { shipments, hasStoreField }: Watched,
): ShippingSettingsProblem | undefined {
  const { storeField, statusHandle } = settings
  if (storeField !== '' && !hasStoreField(storeField)) return 'store-field'
  const place = shipments.locateEntry(settings)
  if ('blank' in place) return 'blank-name'
  if (!shipments.hasStatus(statusHandle)) return 'shipped-status'
  return 'missing' in place ? 'tracking-field' : undefined
}

async function readSavedAt(database: Database): Promise<Date | undefined> {
  const settings = database.table(shippingSettingsSlug)
  const [row] = await database.rows(
    sql`select ${column(settings, 'updatedAt')} as "at" from ${settings} limit 1`,
  )
  return momentOf(row?.at)
}

async function readLastShipment(database: Database) {
  const notices = database.table(noticesSlug)
  const createdAt = column(notices, 'createdAt')
  const [row] = await database.rows(sql`select ${createdAt} as "at",
      ${column(notices, 'reference')} as "reference", ${column(notices, 'carrier')} as "carrier"
    from ${notices} where ${createdAt} = (select max(${createdAt}) from ${notices}) limit 1`)
  const at = momentOf(row?.at)
  return at && { at, reference: String(row?.reference ?? ''), carrier: String(row?.carrier ?? '') }
}

/** Orders that ShipStation does not get until the merchant mends them: how many, since when, and the first ones. */
async function readSkipped(database: Database) {
  const skipped = database.table(skippedOrdersSlug)
  const of = (name: string) => column(skipped, name)
  const [[row], first] = await Promise.all([
    database.rows(sql`select count(*) as "count", min(${of('createdAt')}) as "first"
      from ${skipped} where ${isFailureOf(skipped)}`),
    database.rows(sql`select ${of('order')} as "id", ${of('reference')} as "number"
      from ${skipped} where ${isFailureOf(skipped)} limit ${ordersNamed}`),
  ])
  return {
    count: Number(row?.count ?? 0),
    firstAt: momentOf(row?.first),
    orders: first.map(({ id, number }) => ({
      id: id as DocumentId,
      number: String(number ?? id),
    })),
  }
}

const refusalPlace = 'storeconnect:last-refused-login'

/** It is noted, as the throttle forgets what is over, and a task may look only once an hour. */
async function readRefusedAt(
  { payload }: Shop,
  { shippingThrottle }: Watched,
): Promise<Date | undefined> {
  const noted = await readStored(payload, refusalPlace, storedMoment)
  const last = await shippingThrottle.lastOfKind(loginWithRightUsername)
  if (last === undefined || (noted !== undefined && noted >= last)) return noted
  await payload.kv.set(refusalPlace, last.toISOString())
  return last
}
