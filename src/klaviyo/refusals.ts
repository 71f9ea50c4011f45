import type { Outcome, PlatformError } from '../marketing/platform.js'

/** Will not be taken as it is, if there is an error. */
export const refusedAs = (error: PlatformError | undefined): Outcome | undefined =>
  error && { is: 'refused', error }

/** May be taken in other company, if there is an error. */
export const suspectAs = (error: PlatformError | undefined): Outcome | undefined =>
  error && { is: 'suspect', error }
