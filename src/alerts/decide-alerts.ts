import { conditionNames, type AlertFacts, type Condition } from './conditions.js'

/**
 * What is true of a condition now. `unknown`: it could not be read, or another condition hides it.
 * `off`: the merchant does not want to know.
 */
export type Reading = { holds: true; facts: AlertFacts } | { holds: false } | 'unknown' | 'off'

export type Readings = Readonly<Record<Condition, Reading>>

/** A condition that was reported to hold, until it is over. */
export interface Alert {
  id: string
  condition: Condition
  begunAt: Date
  /** Undefined while the condition holds. */
  endedAt: Date | undefined
  facts: AlertFacts
}

export interface AlertChanges {
  begin: { condition: Condition; facts: AlertFacts }[]
  end: Alert[]
  /** Ends without a message, because nobody wants to know any more. */
  drop: Alert[]
}

/** Chooses what to report: what has begun and is not open yet, and what is open and over. */
export function decideAlerts(readings: Readings, open: readonly Alert[]): AlertChanges {
  const changes: AlertChanges = { begin: [], end: [], drop: [] }
  for (const condition of conditionNames) {
    const reading = readings[condition]
    const alert = open.find((one) => one.condition === condition)
    if (reading === 'unknown') continue
    if (reading === 'off') changes.drop.push(...(alert ? [alert] : []))
    else if (!reading.holds) changes.end.push(...(alert ? [alert] : []))
    else if (alert === undefined) changes.begin.push({ condition, facts: reading.facts })
  }
  return changes
}
