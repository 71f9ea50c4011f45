import type { Run, Step } from '../simulation/step.js'
import type { DatabaseKind } from '../support/store-config.js'

/** A fault that somebody could write. A test must fail with it. */
export interface Break {
  /** What is wrong then, in one sentence. */
  fault: string
  /** The file, from the root of the repository. */
  file: string
  /** A text that is in the file exactly once. */
  from: string
  to: string
  /** The tests that should see it: the beginnings of their paths. */
  tests: readonly string[]
}

/** A fault that `npm run simulate` must find. */
export interface SimulatedBreak extends Omit<Break, 'tests'> {
  /** The kinds of steps that show it. */
  steps: readonly Step['do'][]
  /** The kind of runs that reaches it; all kinds when it is missing. */
  of?: Run['of']
  /** The database whose code it breaks; both when it is missing. */
  on?: DatabaseKind
}
