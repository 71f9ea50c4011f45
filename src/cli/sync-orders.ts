import type { DeliveryStatus } from '../delivery/drain.js'
import type { Histories, HistoryRun } from '../history/history-run.js'
import { en } from '../translations/en.js'
import { exitCodes } from './exit-codes.js'
import { ordersShown, passedOverLines, progressLine } from './progress-line.js'
import { explanation, readArguments } from './sync-orders-arguments.js'
import { unsentReason } from './unsent-reason.js'

/** Whom the command speaks to, and what it works with. */
export interface SyncOrdersParts {
  histories: Histories
  delivery: SyncDelivery
  terminal: Terminal
}

export interface SyncDelivery {
  /** Has this process send too. */
  start(): void
  /** Sends what is due in the end, for a while. */
  finish(): Promise<void>
  /** Events that have not gone out yet. */
  waitingEvents(): Promise<number>
  status(): Promise<DeliveryStatus>
}

export interface Terminal {
  /** Whether a person sits at it. */
  isInteractive: boolean
  say(line: string): void
  /** Writes over the last line that was shown so; a line of its own where that is not possible. */
  show(line: string): void
  /** Resolves to what a person answers; to undefined when they want to leave. */
  ask(question: string): Promise<string | undefined>
  /** Whether the person wants to leave. */
  isLeaving(): boolean
  /** Resolves when that work is over, or after a second without any; at once when the person wants to leave. */
  wait(work?: Promise<unknown>): Promise<void>
}

/** `storeconnect sync-orders`. Resolves to the exit code. */
export async function syncOrders(
  given: readonly string[],
  { histories, delivery, terminal }: SyncOrdersParts,
): Promise<number> {
  const call = readArguments(given)
  if (call === 'help' || 'problem' in call) {
    terminal.say(explanation(call))
    return call === 'help' ? exitCodes.done : exitCodes.usage
  }
  const { period, isSure, waits } = call.wanted
  const count = await histories.countOrders(period)
  terminal.say(`${ordersShown(count)} from ${period.from} up to ${period.to}, without that day.`)
  const { keyProblem } = await delivery.status()
  if (keyProblem === 'unreadable') terminal.say(en.apiKeyUnreadable)
  else if (keyProblem !== undefined) {
    terminal.say('There is no API key yet: the events will wait in the queue until there is one.')
  }
  const declined = isSure ? undefined : await refusal(terminal)
  if (terminal.isLeaving()) {
    terminal.say('Nothing was begun.')
    return exitCodes.left
  }
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
  return /^y(?:es)?$/i.test(answer?.trim() ?? '') ? undefined : exitCodes.declined
}

/** Shows how far the run is until it is over, or somebody stops it or leaves. */
async function follow({ id }: HistoryRun, parts: SyncOrdersParts): Promise<number> {
  const { histories, delivery, terminal } = parts
  let saidReason: string | undefined
  for (;;) {
    const run = await histories.find(id)
    if (run === undefined) return exitCodes.failed
    terminal.show(progressLine(run))
    const isMoving = run.state === 'counting' || run.state === 'running'
    if (!isMoving) for (const line of passedOverLines(run)) terminal.say(line)
    if (run.state === 'done') return sendRest(parts)
    if (!isMoving) {
      if (run.lastError !== undefined) terminal.say(en[run.lastError])
      return exitCodes.failed
    }
    const reason = unsentReason(await delivery.status())
    if (reason !== undefined && reason !== saidReason) terminal.say(reason)
    saidReason = reason
    await terminal.wait()
    if (terminal.isLeaving()) {
      terminal.say(
        'The run goes on: the shop sends it while it runs. Pause or cancel it in the admin.',
      )
      return exitCodes.left
    }
  }
}

/** Everything is in the queue; what is left of it in the end is named. */
async function sendRest({ delivery, terminal }: SyncOrdersParts): Promise<number> {
  terminal.say('All of them are in the queue, and go out as fast as Klaviyo takes them.')
  await terminal.wait(delivery.finish())
  if (terminal.isLeaving()) {
    terminal.say('What is in the queue goes out while the shop runs.')
    return exitCodes.left
  }
  const events = await delivery.waitingEvents()
  if (events === 0) return exitCodes.done
  terminal.say(
    `Not sent yet: ${events.toLocaleString('en')} events. They go out while the shop runs.`,
  )
  const reason = unsentReason(await delivery.status())
  if (reason !== undefined) terminal.say(reason)
  return exitCodes.failed
}
