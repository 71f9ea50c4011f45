import type { Zone } from 'luxon'

const MINUTE_MS = 60_000

/** The clock on the wall of a zone at an instant, as a Date whose UTC fields show it. */
export const wallClock = (instant: Date, zone: Zone) =>
  new Date(instant.getTime() + offsetMs(zone, instant.getTime()))

// Rounded because luxon counts in minutes, and local mean times had seconds.
const offsetMs = (zone: Zone, instantMs: number) => Math.round(zone.offset(instantMs) * MINUTE_MS)

/**
 * The instant at which a zone's clock shows the given time.
 *
 * A time that spring skips counts on from before the gap: 2:30 is 3:30. Of the times that autumn
 * repeats, PHP takes the second one east of Greenwich and the first one west of it, and always the
 * first when the text named its zone.
 */
export function instantOf(wall: Date, zone: Zone, isNamedZone: boolean): Date {
  const wallMs = wall.getTime()
  const guessedMs = offsetMs(zone, wallMs)
  const refinedMs = offsetMs(zone, wallMs - guessedMs)
  const isInGap = offsetMs(zone, wallMs - refinedMs) !== refinedMs && guessedMs < 0
  const instantMs = wallMs - (isInGap ? guessedMs : refinedMs)
  return new Date(isNamedZone ? firstOf(instantMs, zone, wallMs) : instantMs)
}

/** The earlier instant with the same clock time, if the clock was put back shortly before. */
function firstOf(instantMs: number, zone: Zone, wallMs: number) {
  const earlierMs = wallMs - offsetMs(zone, instantMs - 120 * MINUTE_MS)
  const isSameTime = earlierMs + offsetMs(zone, earlierMs) === wallMs
  return isSameTime ? Math.min(earlierMs, instantMs) : instantMs
}
