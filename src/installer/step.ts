import type { Project } from './project.js'

/** A place in a file of the store. */
export interface Place {
  /** Path below the store's folder, with `/`. */
  file: string
  /** Of the text that is changed, from 1; undefined for a file that is not there yet. */
  line?: number
}

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
  /** Where it belongs; undefined when the store has no such place, so that a person has to find it. */
  place: (project: Project) => Place | undefined
  isDone: (project: Project) => boolean
  /** Makes the change in `project.files`. Called where there is a place and it is not done. */
  apply: (project: Project) => void
  /** Takes the change back in `project.files`, to the byte. Called where it is done. */
  undo: (project: Project) => void
  /** What to paste where the place was not found, and where it probably belongs. */
  snippet: (project: Project) => { where: string; text: string }
}
