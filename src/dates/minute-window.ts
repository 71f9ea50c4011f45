const MINUTE_MS = 60_000
const LAST_SECOND_MS = 59_000

/**
 * The bounds, both exclusive, of a date filter: the start of the first minute and second 59 of the
 * last.
 *
 * Needs no time zone. Offsets are whole minutes, so a minute starts at the same instant everywhere;
 * Liberia was the last to differ, in 1972.
 */
export const minuteWindow = ({ start, end }: { start: Date; end: Date }) => ({
  after: startOfMinute(start),
  before: new Date(startOfMinute(end).getTime() + LAST_SECOND_MS),
})

const startOfMinute = (instant: Date) =>
  new Date(Math.floor(instant.getTime() / MINUTE_MS) * MINUTE_MS)
