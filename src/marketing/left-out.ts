/** A value that the platform is not told: which and why, for the log. Never the value itself. */
export interface LeftOut {
  /** As it was posted: `profile[location][latitude]`. */
  field: string
  reason: string
}

/** Notes a value that is left out. */
export type LeaveOut = (field: string, reason: string) => void
