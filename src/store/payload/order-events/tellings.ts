import { setImmediate as nextTurn } from 'node:timers/promises'
import type { PayloadRequest } from 'payload'
import type { Log } from '../../log.js'

/** A change that a request has made; `about` is what the log says of it. */
export interface Change {
  req: PayloadRequest
  about: Readonly<Record<string, unknown>>
}

/** Stores what a change has to tell: on the request's connection where one is given. */
export type Tell = (req?: PayloadRequest) => Promise<void>

/** When the changes of a process are told. */
export interface Tellings {
  take(tell: Tell, change: Change): Promise<void>
  /** Resolves when all that was taken so far is stored. */
  over(): Promise<void>
}

/**
 * In a transaction a change is told with it, and what cannot be told rolls it back. Without one it is
 * told right after it, one after the other, and nobody waits: the change is made, and the sweep makes
 * up for what fails or is lost with the process.
 */
export function createTellings(log: Log): Tellings {
  let last = Promise.resolve()

  const tellLater = async (tell: Tell, before: Promise<void>, about: Change['about']) => {
    await before
    // Whoever made the change goes on first.
    await nextTurn()
    try {
      await tell()
    } catch (error) {
      log.error({ err: error, ...about }, 'The events of a change were not stored yet')
    }
  }

  return {
    async take(tell, { req, about }) {
      if (await req.transactionID) await tell(req)
      else last = tellLater(tell, last, about)
    },
    over: () => last,
  }
}
