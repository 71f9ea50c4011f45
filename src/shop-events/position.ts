import { sql, type SQL } from 'drizzle-orm'
import type { Column } from 'drizzle-orm'
import type { Position } from '../store/past-changes.js'
import type { Row } from '../store/payload/database.js'

/** Rows behind a position, up to a moment; in the order of moment and id. */
export function rowsBehind(
  { at, id }: { at: Column; id: Column },
  { from, until, limit }: { from: Position; until: Date; limit: number },
): { condition: SQL; order: SQL } {
  const moment = from.at.toISOString()
  const behind =
    from.id === undefined
      ? sql`${at} > ${moment}`
      : sql`${at} >= ${moment} and (${at} > ${moment} or ${id} > ${from.id})`
  return {
    condition: sql`${behind} and ${at} <= ${until.toISOString()}`,
    order: sql`order by ${at}, ${id} limit ${limit}`,
  }
}

/** Where the next page begins; undefined after the last one. */
export function nextPosition(rows: readonly Row[], limit: number): Position | undefined {
  const last = rows.at(-1)
  if (last === undefined || rows.length < limit) return undefined
  return { at: new Date(String(last.at)), id: last.id as number | string }
}
