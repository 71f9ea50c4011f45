import type { Histories, HistoryRun } from '../store/history.js'
import { exitCodes } from './exit-codes.js'
import { ordersShown, progressLine } from './progress-line.js'
import { explanation, readArguments } from './sync-orders-arguments.js'

/** Whom the command speaks to, and what it works with. */
export interface SyncOrdersParts {
  histories: Histories
  /** Has this process send too; and in the end what is due of it. */
  delivery: { start(): void; finish(): Promise<void> }
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

/** `storeconnect sync-orders`. Resolves to the exit code. */
export async function syncOrders(
  given: readonly string[],
  { histories, delivery, hasKey, terminal }: SyncOrdersParts,
): Promise<number> {
  const call = readArguments(given)
  if (call === 'help' || 'problem' in call) {
    terminal.say(explanation(call))
    return call === 'help' ? exitCodes.done : exitCodes.usage
  }
  const { period, isSure, waits } = call.wanted
  const count = await histories.countOrders(period)
  terminal.say(`${ordersShown(count)} from ${period.from} up to ${period.to}, without that day.`)
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
    delivery.start()
    return follow(run, { histories, delivery, terminal })
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
  { histories, delivery, terminal }: Pick<SyncOrdersParts, 'histories' | 'delivery' | 'terminal'>,
): Promise<number> {
  for (;;) {
    const run = await histories.find(id)
    if (run === undefined) return exitCodes.failed
    terminal.show(progressLine(run))
    if (run.state === 'done') {
      terminal.say('All of them are in the queue, and go out as fast as Klaviyo takes them.')
      await delivery.finish()
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
