/** Paths of the endpoints, which the admin calls. */
export const exampleEventsPath = '/storeconnect/example-events'
export const mappedMetricsPath = '/storeconnect/mapped-metrics'
export const testEventPath = '/storeconnect/test-event'
