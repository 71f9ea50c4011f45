/** How many cases a property test tries: 1,000, or `PROPERTY_RUNS=1000000 npx vitest run …`. */
export const propertyRuns = Number(process.env.PROPERTY_RUNS ?? 1_000)

/** Time that they get, by their number. It only ends what hangs. */
export const propertyTimeoutMs = Math.max(300_000, propertyRuns)
