// A file of its own, because the browser loads it too.

// Below Payload's API route.
export const exampleEventsPath = '/storeconnect/example-events'
export const mappedMetricsPath = '/storeconnect/mapped-metrics'
export const testEventPath = '/storeconnect/test-event'
export const consentProofPath = '/storeconnect/consent-proof.csv'

/** The page of failures, below the list of sends. */
export const failuresView = '/failures'

/** The same, below the admin. */
export const failuresPath = `/collections/marketing-sends${failuresView}` as const
