import type { LeaveOut, LeftOut } from '../../marketing/left-out.js'
import type { Log } from '../../store/log.js'

/** A post can hold a thousand names, each as long as its sender likes. */
const listedFields = 20
const fieldLength = 100

/** Collects what of a post is left out, for one line in the log. */
export interface LeftOutLog {
  leaveOut: LeaveOut
  /** Writes the line, if there is anything to tell. */
  write: (about: { requestId: string; action: string }) => void
}

export function createLeftOutLog(log: Log): LeftOutLog {
  const leftOut: LeftOut[] = []
  let count = 0
  return {
    leaveOut(field, reason) {
      count += 1
      if (count > listedFields) return
      leftOut.push({ field: field.slice(0, fieldLength).toWellFormed(), reason })
    },
    write: (about) => {
      if (count > 0) log.warn({ ...about, count, leftOut }, 'Posted values left out')
    },
  }
}
