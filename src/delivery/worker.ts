/** What can be done now, or when to look again; `nextAt` is undefined when nothing waits. */
export type Step = { run: () => Promise<void> } | { nextAt: Date | undefined }

/** Something that the delivery does again and again, such as a lane. */
export interface Worker {
  name: string
  /** Looks once. What it returns to run is already its own; several may run at once. */
  next(): Promise<Step>
}

/** Runs of one worker at once: a call that hangs must not stop the others. */
export const runsAtOnce = 4
