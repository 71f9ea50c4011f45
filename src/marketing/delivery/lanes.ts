import { sql, type SQL } from 'drizzle-orm'
import type { CallName } from '../klaviyo/limits.js'
import { needsCall } from './calls-for.js'
import { perKind, sendKinds, type SendKind } from './send.js'

/** The lane of each kind of send. The sends of a person keep their order within a lane, and only there. */
export type Lanes = Readonly<Record<SendKind, Lane>>

export const laneNames = ['main', 'past', 'consents', 'lists', 'stock'] as const

type Lane = (typeof laneNames)[number]

const values: readonly SendKind[] = ['event', 'identify']
const consents: readonly SendKind[] = ['subscribe', 'consent', 'unsubscribe']

/**
 * What lacks a scope holds nothing up but what depends on it. A list add, or who asks for a product, waits for the events
 * that make the profile, a subscription for the unsubscribe before it. While the deletion of a profile waits, its sends
 * have the usual lanes: objections go before it, and it would take what comes later.
 */
export function lanesFor(lackingScope: readonly CallName[]): Lanes {
  const isOff = (kinds: readonly SendKind[]) =>
    lackingScope.length > 0 && kinds.some((kind) => needsCall(kind, lackingScope))
  const areConsentsApart = isOff([...values, ...consents])
  const isApart = (kind: SendKind) => isOff([kind]) && !isOff(values)
  return perKind((kind) => {
    if (kind === 'past-event') return 'past'
    if (consents.includes(kind)) return areConsentsApart ? 'consents' : 'main'
    if (kind === 'back-in-stock') return isApart(kind) ? 'stock' : 'main'
    return kind === 'list-add' && isApart(kind) ? 'lists' : 'main'
  })
}

/** The lane of a kind, in SQL. @param isErased Whether the deletion of its profile waits. */
export function laneOfKind(lanes: Lanes, kind: SQL, isErased: SQL): SQL {
  const usual = laneIn(usualLanes, kind)
  if (areSameLanes(lanes, usualLanes)) return usual
  return sql`(case when ${isErased} then ${usual} else ${laneIn(lanes, kind)} end)`
}

function laneIn(lanes: Lanes, kind: SQL): SQL {
  const cases = sendKinds
    .filter((one) => lanes[one] !== 'main')
    .map((one) => sql.raw(`when '${one}' then '${lanes[one]}'`))
  return sql`(case ${kind} ${sql.join(cases, sql` `)} else 'main' end)`
}

/** Events of past orders carry no values of a profile, so they are always apart. */
export const usualLanes = lanesFor([])

export const areSameLanes = (one: Lanes, other: Lanes): boolean =>
  sendKinds.every((kind) => one[kind] === other[kind])
