import type { Project } from './project.js'

/**
 * One change that Storeconnect needs in a store. `init`, `doctor` and `remove` read the same list of steps, and so does
 * the chapter of the documents for who makes the changes by hand.
 */
export interface Step {
  /** What is changed, as a sentence without a full stop: `Add storeConnect() to the plugins`. */
  title: string
  /** What the merchant is asked before this step, which is not needed by Storeconnect itself. Default: not asked. */
  question?: string
  /** Whether it mends what is wrong without Storeconnect too, so that it may stay. Default `false`. */
  isMend?: boolean
  /** Whether this store needs it: by the chosen products, and by what the store is made of. Default: always. */
  isNeeded?: (project: Project) => boolean
  /** The file in which it belongs, below the store's folder; undefined when the store has no such place. */
  place: (project: Project) => string | undefined
  isDone: (project: Project) => boolean
  /** Makes the change in `project.files`. Called where there is a place and it is not done. */
  apply: (project: Project) => void
  /** Takes the change back in `project.files`, to the byte. Called where it is done. */
  undo: (project: Project) => void
  /** For a person, where the place was not found: a sentence with a colon that says what to do, and the text for it. */
  snippet: (project: Project) => { task: string; text: string }
}
