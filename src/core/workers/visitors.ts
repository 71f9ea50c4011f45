import { subscribe } from 'node:diagnostics_channel'
import type { ServerResponse } from 'node:http'
import { createWakeUp, realEffects } from '../effects.js'

/** The requests that servers of this process answer: those of Storeconnect, and the store's own pages. */
export interface Visitors {
  /** Whether a request came a moment ago, so that another one is expected. */
  areHere: (this: void) => boolean
  /**
   * Resolves when work in the background for so many items may keep the thread: when the work before has, and visitors
   * have their answers, or soon, as an answer that takes long waits for something else. At once for a few items.
   */
  turn: (this: void, items: number) => Promise<void>
}

/** For so long after a request, another one is expected. */
const expectedMs = 1_000

/** What takes longer to answer is a download, a stream or a request that waits for somebody else. */
const longestAnswerMs = 100

/** So that a shop delivers that is never without a visitor. */
const longestWaitMs = 25

/** The work for no more items than this takes less than a visitor's answer. */
const fewItems = 20

let followed: Visitors | undefined
const follow = (): Visitors => (followed ??= followRequests())

/** Those of this process. Their requests are followed from the first question on. */
export const realVisitors: Visitors = {
  areHere: () => follow().areHere(),
  turn: (items) => follow().turn(items),
}

function followRequests(): Visitors {
  const { steadyMs } = realEffects
  const change = createWakeUp(realEffects)
  /** The responses under way and when they began, the oldest one first. */
  const underWay = new Map<ServerResponse, number>()
  let lastAt = Number.NEGATIVE_INFINITY

  subscribe('http.server.request.start', (message) => {
    const { response } = message as { response: ServerResponse }
    lastAt = steadyMs()
    underWay.set(response, lastAt)
    response.once('close', () => {
      underWay.delete(response)
      change.wake()
    })
  })

  function isSomebodyWaiting(): boolean {
    for (const [response, begunAt] of underWay) {
      if (steadyMs() - begunAt < longestAnswerMs) return true
      underWay.delete(response)
    }
    return false
  }

  async function untilAnswered(): Promise<void> {
    const end = steadyMs() + longestWaitMs
    while (isSomebodyWaiting() && steadyMs() < end) await change.wait(end - steadyMs())
  }

  let last: Promise<void> = Promise.resolve()

  return {
    areHere: () => steadyMs() - lastAt < expectedMs,

    turn(items) {
      if (items <= fewItems) return Promise.resolve()
      last = last.then(() => new Promise<void>(setImmediate)).then(untilAnswered)
      return last
    },
  }
}
