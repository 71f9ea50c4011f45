// The browser imports these too, so they have a file of their own.

/** The page of failures, below the list of sends. */
export const failuresView = '/failures'

/** The same, below the admin. */
export const failuresPath = `/collections/marketing-sends${failuresView}` as const
