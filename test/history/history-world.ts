import {
  createKlaviyoStandIn,
  demoApiKey,
  type KlaviyoStandIn,
} from '../../dev/klaviyo/stand-in.ts'
import { randomFrom } from '../../dev/seed/random.ts'
import type { HistoryRun } from '../../src/history/history-table.js'
import { historyParts, type HistoryParts, type HistorySetup } from '../support/history-parts.js'
import type { TestStore } from '../support/store.js'

/** A store's own database and the stand-in, on one clock that stands still until it is moved. */
export interface HistoryWorld extends HistoryParts {
  standIn: KlaviyoStandIn
  /** Bodies of the calls, as they left. */
  bodies: unknown[]
  now(): Date
  move(ms: number): void
  /** Begins a run of the year 2025. */
  start(): Promise<HistoryRun>
  /** The parts of another process of the store, which knows nothing of the others. */
  coldProcess(): HistoryParts
  /** Passes until nothing is left to do, and resolves to the run. */
  runToEnd(): Promise<HistoryRun | undefined>
}

export const worldNow = Date.UTC(2026, 10, 2, 10)

export function historyWorld(
  { payload }: TestStore,
  setup: Partial<
    Pick<HistorySetup, 'settings' | 'timezone' | 'ordersAtOnce' | 'hooks' | 'options' | 'around'>
  > = {},
): HistoryWorld {
  let at = worldNow
  const numbers = randomFrom(1)
  const random = () => numbers.next()
  const now = () => new Date(at)
  const bodies: unknown[] = []
  const standIn = createKlaviyoStandIn({ now: () => at, random })
  const processes: HistoryParts[] = []
  const coldProcess = (): HistoryParts => {
    const own = historyParts({
      payload,
      now,
      random,
      privateApiKey: demoApiKey,
      fetch(...asked) {
        const body = asked[1]?.body
        if (typeof body === 'string') bodies.push(JSON.parse(body))
        return standIn.handle(new Request(...asked))
      },
      ...setup,
    })
    processes.push(own)
    return { ...own, drain: { ...own.drain, pass: () => passOf(own) } }
  }
  /** The others have ended by then. */
  async function passOf(own: HistoryParts): ReturnType<HistoryParts['drain']['pass']> {
    for (const other of processes) if (other !== own) await other.drain.giveBack()
    return own.drain.pass()
  }
  const parts = coldProcess()
  const { drain, histories } = parts
  const isAtWork = async () =>
    ['counting', 'running'].includes((await histories.latest())?.state ?? '')

  return {
    ...parts,
    standIn,
    bodies,
    now,
    coldProcess,
    move: (ms) => void (at += ms),
    async start() {
      const { run } = await histories.start(year2025, { startedBy: 'merchant@example.com' })
      return run
    },
    async runToEnd() {
      for (;;) {
        const { didWork, nextAt } = await drain.pass()
        if (didWork) continue
        if (nextAt !== undefined) at = Math.max(at, nextAt.getTime())
        else if (await isAtWork()) at += 2_500
        else return histories.latest()
      }
    },
  }
}

export const year2025 = { from: '2025-01-01', to: '2026-01-01' }
