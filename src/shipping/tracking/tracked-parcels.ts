import { createHash } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { column, type Row, type Statement } from '../../core/database/database.js'
import { parcelStates } from '../../shop/orders/parcel-state.js'
import type { Shop } from '../../core/shop.js'
import { isOtherCarrier } from '../../shop/orders/tracking-url.js'
import { noticesSlug } from '../notice/notice-collection.js'
import type { TrackingReport } from './tracking-report.js'

/** Carriers give a tracking number to another parcel later. */
const trackedForMs = 120 * 24 * 60 * 60_000

/** How many orders may share a parcel. */
const mostOrders = 50

export function createTrackedParcels({ database, effects }: Pick<Shop, 'database' | 'effects'>) {
  const notices = database.table(noticesSlug)
  const states = database.table(noticesSlug, 'states')
  const of = (name: string) => column(notices, name)

  async function noticesOf({ trackingNumber, carrier }: TrackingReport): Promise<Row[]> {
    const after = new Date(effects.now().getTime() - trackedForMs).toISOString()
    const rows = await database.rows(sql`select ${of('id')} as "id", ${of('carrier')} as "carrier"
      from ${notices} where ${of('trackingNumber')} = ${trackingNumber} and ${of('createdAt')} > ${after}
      order by ${of('id')} desc limit ${mostOrders}`)
    return rows.filter((row) => !isOtherCarrier(String(row.carrier ?? ''), carrier))
  }

  /**
   * Each of them can run again, or beside those of another report, in any order. A state is a row of its own, and the
   * parcel moves on only to what is newer.
   */
  function statements(
    notice: unknown,
    { state, at, estimatedDelivery }: TrackingReport,
    isOff: boolean,
  ): Statement[] {
    const id = stateId(notice, state)
    const isNotice = sql`${of('id')} = ${notice}`
    const movedAt = of('movedAt')
    const isEarlier = database.isOneOf(
      sql`cast(${of('state')} as text)`,
      parcelStates.slice(0, parcelStates.indexOf(state)),
    )
    const row = {
      ...{ _order: parcelStates.indexOf(state) + 1, _parentID: notice, id },
      ...{ state, at, receivedAt: effects.now().toISOString(), isOff },
    }
    return [
      database.insertIgnoring(states, row),
      database.update(
        states,
        { at },
        sql`${column(states, 'id')} = ${id} and ${column(states, 'at')} > ${at}`,
      ),
      ...(estimatedDelivery === undefined
        ? []
        : [
            database.update(
              notices,
              { estimatedDelivery: `${estimatedDelivery}T12:00:00.000Z` },
              sql`${isNotice} and (${movedAt} is null or ${movedAt} <= ${at})`,
            ),
          ]),
      database.update(
        notices,
        { state, movedAt: at },
        sql`${isNotice} and (${movedAt} is null or ${movedAt} < ${at}
          or (${movedAt} = ${at} and ${isEarlier}))`,
      ),
    ]
  }

  return {
    /** Stores what was reported of a parcel. Resolves to how many orders have it: several may share one. */
    async record(report: TrackingReport, isOff: boolean): Promise<number> {
      const found = await noticesOf(report)
      for (const { id } of found) {
        for (const statement of statements(id, report, isOff)) await statement
      }
      return found.length
    },
  }
}

/** 24 hex digits, as Payload's own row ids have. */
const stateId = (notice: unknown, state: string): string =>
  createHash('sha256')
    .update(JSON.stringify([notice, state]))
    .digest('hex')
    .slice(0, 24)
