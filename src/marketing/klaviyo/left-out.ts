import type { Log } from '../../core/database/log.js'

/** A value that is not sent, and why. It is for the log and never contains the value itself. */
interface LeftOut {
  /** The name as it was posted, such as `profile[location][latitude]`. */
  field: string
  reason: string
}

export type LeaveOut = (field: string, reason: string) => void

/** A post can hold a thousand long names, so the log line is limited. */
const listedFields = 20
const fieldLength = 100

/** Collects the values that are left out, for one line in the log. */
export function createLeftOutLog(log: Pick<Log, 'warn'>) {
  const leftOut: LeftOut[] = []
  let count = 0
  return {
    leaveOut(this: void, field: string, reason: string): void {
      count += 1
      if (count > listedFields) return
      leftOut.push({ field: field.slice(0, fieldLength).toWellFormed(), reason })
    },
    /** Writes the line, unless nothing was left out. */
    write(this: void, about: Readonly<Record<string, unknown>>, sentence: string): void {
      if (count > 0) log.warn({ ...about, count, leftOut }, sentence)
    },
  }
}
