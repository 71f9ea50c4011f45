import type { Histories, HistoryRun } from '../store/history.js'
import { progressLine, shown } from './progress-line.js'
import { readArguments, usage } from './sync-orders-arguments.js'

/** Whom the command speaks to, and what it works with. */
export interface SyncOrdersParts {
  histories: Histories
  /** Has this process send too. */
  deliver: () => void
  /** Whether there is a key for the platform. */
  hasKey: () => Promise<boolean>
  terminal: Terminal
}

export interface Terminal {
  /** Whether a person sits at it. */
  isInteractive: boolean
  say(line: string): void
  /** Writes over the last line that was shown so; a line of its own where that is not possible. */
  show(line: string): void
  /** Resolves to what a person answers. */
  ask(question: string): Promise<string>
  /** Resolves after a second, and at once to true when the person wants to leave. */
  leaves(): Promise<boolean>
}

/** What the process ends with, as shells read it. */
export const exitCodes = { done: 0, failed: 1, usage: 2, declined: 3, busy: 4, left: 130 } as const

/** `storeconnect sync-orders`. Resolves to the exit code. */
export async function syncOrders(
  given: readonly string[],
  { histories, deliver, hasKey, terminal }: SyncOrdersParts,
): Promise<number> {
  const wanted = readArguments(given)
  if (wanted === undefined) {
    terminal.say(usage)
    return exitCodes.usage
  }
  const { period, isSure, waits } = wanted
  const count = await histories.countOrders(period)
  terminal.say(`${shown(count)} orders from ${period.from} up to ${period.to}, without that day.`)
  if (!(await hasKey())) {
    terminal.say('There is no API key yet: the events will wait in the queue until there is one.')
  }
  const declined = isSure ? undefined : await refusal(terminal)
  if (declined !== undefined) return declined

  const { run, isNew } = await histories.start(period, { startedBy: undefined })
  if (!isNew) {
    terminal.say(`Orders from ${run.from} up to ${run.to} are on their way already:`)
    terminal.say(progressLine(run))
    return exitCodes.busy
  }
  if (waits) {
    deliver()
    return follow(run, { histories, terminal })
  }
  terminal.say('Begun. The shop sends them while it runs; its admin shows how far it is.')
  return exitCodes.done
}

/** Undefined when the person wants to go on. */
async function refusal(terminal: Terminal): Promise<number | undefined> {
  if (!terminal.isInteractive) {
    terminal.say('Nobody can be asked here. Pass --yes to begin.')
    return exitCodes.usage
  }
  const answer = await terminal.ask('Send them to Klaviyo? [y/N] ')
  return /^y(?:es)?$/i.test(answer.trim()) ? undefined : exitCodes.declined
}

/** Shows how far the run is until it is over, or somebody stops it or leaves. */
async function follow(
  { id }: HistoryRun,
  { histories, terminal }: Pick<SyncOrdersParts, 'histories' | 'terminal'>,
): Promise<number> {
  for (;;) {
    const run = await histories.find(id)
    if (run === undefined) return exitCodes.failed
    terminal.show(progressLine(run))
    if (run.state === 'done') {
      terminal.say('All of them are in the queue, and go out as fast as Klaviyo takes them.')
      return exitCodes.done
    }
    if (run.state === 'failed' || run.state === 'cancelled' || run.state === 'paused') {
      if (run.lastError !== undefined) terminal.say(run.lastError)
      return exitCodes.failed
    }
    if (await terminal.leaves()) {
      terminal.say(
        'The run goes on: the shop sends it while it runs. Pause or cancel it in the admin.',
      )
      return exitCodes.left
    }
  }
}
