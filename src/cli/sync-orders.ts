import type { DeliveryStatus } from '../delivery/deliverer.js'
import type { Histories } from '../history/histories.js'
import type { HistoryRun } from '../history/history-table.js'
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
  /** Has this process send too, unless the shop's own does. */
  start(): void
  /** Events that have not gone out yet, those that failed, of whatever age, and the last success. */
  counts(): Promise<{ waiting: number; failed: number; lastSentAt: Date | undefined }>
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
  /** Resolves after a second; at once when the person wants to leave. */
  wait(): Promise<void>
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

/** Shows how far the run is, then the queue, until all is sent, nothing moves or somebody leaves. */
async function follow({ id }: HistoryRun, parts: SyncOrdersParts): Promise<number> {
  const { delivery, terminal } = parts
  const { failed } = await delivery.counts()
  const pause = createPause(parts)
  const code = await followRun(id, { ...parts, pause })
  if (code !== undefined) return code
  terminal.say('All of them are in the queue, and go out as fast as Klaviyo takes them.')
  let shown: number | undefined
  for (;;) {
    const counts = await delivery.counts()
    if (counts.waiting === 0) return outcome(counts.failed - failed, terminal)
    if (counts.waiting !== shown) terminal.show(`Not sent yet: ${eventsShown(counts.waiting)}.`)
    shown = counts.waiting
    const ended = await pause(counts, leftQueue)
    if (ended !== undefined) return ended
  }
}

type Pause = ReturnType<typeof createPause>

/** Undefined when all of its orders are in the queue; else the exit code. */
async function followRun(
  id: HistoryRun['id'],
  { histories, terminal, pause }: SyncOrdersParts & { pause: Pause },
): Promise<number | undefined> {
  for (;;) {
    const run = await histories.find(id)
    if (run === undefined) return exitCodes.failed
    terminal.show(progressLine(run))
    if (run.state !== 'counting' && run.state !== 'running') {
      for (const line of passedOverLines(run)) terminal.say(line)
      if (run.state === 'done') return undefined
      if (run.lastError !== undefined) terminal.say(en[run.lastError])
      return exitCodes.failed
    }
    const ended = await pause(run, leftRun)
    if (ended !== undefined) return ended
  }
}

/** Looks, a second apart, at which nothing has moved before the command gives up. */
const stillLooksAtMost = 120

/** Waits for the next look and says what keeps it. Resolves to the exit code where there is no next. */
function createPause({ delivery, terminal }: SyncOrdersParts) {
  let lastSeen = ''
  let stillLooks = 0
  let saidReason: string | undefined
  return async (progress: unknown, whenLeft: string): Promise<number | undefined> => {
    const reason = unsentReason(await delivery.status())
    if (reason !== undefined && reason !== saidReason) terminal.say(reason)
    saidReason = reason
    const counts = await delivery.counts()
    const seen = JSON.stringify([progress, counts])
    stillLooks = seen === lastSeen ? stillLooks + 1 : 0
    lastSeen = seen
    if (stillLooks >= stillLooksAtMost) {
      const minutes = stillLooksAtMost / 60
      terminal.say(
        `Nothing has moved for ${minutes} minutes. Not sent yet: ${eventsShown(counts.waiting)}. They go out while the shop runs.`,
      )
      if (reason !== undefined) terminal.say(reason)
      return exitCodes.failed
    }
    await terminal.wait()
    if (!terminal.isLeaving()) return undefined
    terminal.say(whenLeft)
    return exitCodes.left
  }
}

const leftRun = 'The run goes on: the shop sends it while it runs. Pause or cancel it in the admin.'
const leftQueue = 'What is in the queue goes out while the shop runs.'

function outcome(failed: number, terminal: Terminal): number {
  if (failed <= 0) return exitCodes.done
  terminal.say(`Failed: ${eventsShown(failed)}. The admin says why, and can send them again.`)
  return exitCodes.failed
}

const eventsShown = (count: number): string =>
  `${count.toLocaleString('en')} ${count === 1 ? 'event' : 'events'}`
