import type { PayloadRequest } from 'payload'

/** How long a process goes by what it has read. */
const freshForMilliseconds = 3000

/** What is read from the database and kept for some seconds. */
export interface KeptReading<Value> {
  /** What could not be read is not kept; whoever asked learns why. */
  get(req?: PayloadRequest): Promise<Value>
  forget(): void
}

/**
 * What is asked in the midst of a write names its request, is read on that one's connection, and waits
 * for no other reader: one who waits for a connection may get none before such writes are over, and one
 * whose own write fails would have them fail too. All others share one reading.
 */
export function createKeptReading<Value>(
  read: (req?: PayloadRequest) => Promise<Value>,
  now: () => Date,
): KeptReading<Value> {
  let kept: { value: Value; since: number } | undefined
  let shared: Promise<Value> | undefined
  let forgotten = 0

  async function readAnew(req?: PayloadRequest): Promise<Value> {
    const since = now().getTime()
    const before = forgotten
    const value = await read(req)
    if (forgotten === before) kept = { value, since }
    return value
  }

  function readTogether(): Promise<Value> {
    const reading = readAnew().finally(() => {
      if (shared === reading) shared = undefined
    })
    shared = reading
    return reading
  }

  return {
    async get(req) {
      if (kept !== undefined && now().getTime() - kept.since < freshForMilliseconds) {
        return kept.value
      }
      return req === undefined ? (shared ?? readTogether()) : readAnew(req)
    },
    forget() {
      kept = undefined
      shared = undefined
      forgotten += 1
    },
  }
}
