import type { SanitizedConfig } from 'payload'
import type { DeliveryStatus } from '../../marketing/delivery/klaviyo-sessions.js'
import type { modeProblem } from '../../core/workers/delivery-mode.js'
import type { Histories } from '../../marketing/history/histories.js'
import type { HistoryRun } from '../../marketing/history/history-table.js'
import { en } from '../../core/translations/en.js'
import { exitCodes, readSyncOrdersArguments } from './arguments.js'
import { payloadCommand } from './payload-command.js'
import { runCommand } from './run-command.js'
import { refusal, type Terminal } from './terminal.js'
import type { PauseReason } from '../../marketing/delivery/call-log.js'
import { reasonsThatApply, shareDone } from '../../marketing/history/run-progress.js'

interface CommandTools {
  histories: Histories
  delivery: SyncDelivery
  terminal: Terminal
}

interface SyncDelivery {
  /** Makes this process deliver too, unless a process of the shop does already. */
  start(): void
  /** Counts the past events that wait and all failed sends, and reads when one was last sent. */
  counts(): Promise<{ waiting: number; failed: number; lastSentAt: Date | undefined }>
  status(): Promise<WaitReasons>
}

/** The command line of Payload 3 runs this function for `storeconnect:sync-orders`. */
export const script = (config: SanitizedConfig): Promise<void> =>
  runCommand(config, async (given, parts, terminal) => {
    const { histories, overview, delivery, deliveryStatus: status } = parts
    if (histories === undefined || status === undefined) {
      throw new Error('This store has no Klaviyo: storeConnect({ marketing: false }).')
    }
    const sending: SyncDelivery = {
      start: () => delivery.start(),
      async counts() {
        const { waiting = [], failed = [], lastSentAt } = (await overview.facts()).marketing ?? {}
        const events = waiting.find(({ kind }) => kind === 'past-event')
        return {
          waiting: events?.count ?? 0,
          failed: failed.reduce((sum, { count }) => sum + count, 0),
          lastSentAt,
        }
      },
      status,
    }
    const exitCode = await syncOrders(given, { histories, delivery: sending, terminal })
    await delivery.stop()
    return exitCode
  })

/** The same for Payload 4. */
export const command = payloadCommand('Sends past orders to Klaviyo.', script)

/** Runs `storeconnect sync-orders`. Resolves to the exit code. */
export async function syncOrders(
  given: readonly string[],
  { histories, delivery, terminal }: CommandTools,
): Promise<number> {
  const call = readSyncOrdersArguments(given)
  if (!('wanted' in call)) {
    terminal.say(call.text)
    return call.exitCode
  }
  const { period, isSure, waits } = call.wanted
  const count = await histories.countOrders(period)
  terminal.say(`${ordersShown(count)} from ${period.from} up to ${period.to}, without that day.`)
  const { keyProblem } = await delivery.status()
  if (keyProblem === 'unreadable') terminal.say(en.apiKeyUnreadable)
  else if (keyProblem !== undefined) {
    terminal.say('There is no API key yet: the events will wait in the queue until there is one.')
  }
  const declined = isSure
    ? undefined
    : await refusal(terminal, { question: 'Send them to Klaviyo?', toDo: 'begin' })
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

/**
 * Shows the progress of the run, then of the queue. It ends when everything is sent, when nothing has
 * moved for two minutes, or when the person presses Ctrl-C. Resolves to the exit code.
 */
async function follow({ id }: HistoryRun, tools: CommandTools): Promise<number> {
  const { delivery, terminal } = tools
  const { failed } = await delivery.counts()
  const pause = createPause(tools)
  const code = await followRun(id, { ...tools, pause })
  if (code !== undefined) return code
  terminal.say('All orders are in the queue. They are sent as fast as Klaviyo takes them.')
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

/** Resolves to undefined when all orders of the run are in the queue; else to the exit code. */
async function followRun(
  id: HistoryRun['id'],
  { histories, terminal, pause }: CommandTools & { pause: Pause },
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

/** After how many polls in which nothing has moved, a second apart, the command gives up. */
const maxIdlePolls = 120

/**
 * Makes the function that waits for the next poll and says why sends wait. It resolves to an exit code
 * when the command has to end.
 */
function createPause({ delivery, terminal }: CommandTools) {
  let lastState = ''
  let idlePolls = 0
  let saidReason: string | undefined
  return async (progress: unknown, whenLeft: string): Promise<number | undefined> => {
    const reason = unsentReason(await delivery.status())
    if (reason !== undefined && reason !== saidReason) terminal.say(reason)
    saidReason = reason
    const counts = await delivery.counts()
    const state = JSON.stringify([progress, counts])
    idlePolls = state === lastState ? idlePolls + 1 : 0
    lastState = state
    if (idlePolls >= maxIdlePolls) {
      const minutes = maxIdlePolls / 60
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

const pauseWords: Readonly<Record<PauseReason, string>> = {
  misconfigured: en.deliveryPaused,
  scope: en.deliveryPaused,
  retired: en.alertRevisionRefused,
  outage: en.overviewOutage,
  'rate-limited': 'Klaviyo takes no more events at the moment.',
}

type WaitReasons = Pick<DeliveryStatus, 'keyProblem' | 'pauses'> & {
  modeProblem: ReturnType<typeof modeProblem>
}

/** Why events wait; undefined when nothing holds them back. */
function unsentReason({ keyProblem, modeProblem, pauses }: WaitReasons): string | undefined {
  if (modeProblem === 'preview') return en.deliveryPreview
  if (keyProblem === 'unreadable') return en.apiKeyUnreadable
  if (keyProblem !== undefined) return en.apiKeyMissing
  const pause = pauses.find(({ call }) => call === 'event' || call === 'events')
  return pause && pauseWords[pause.reason]
}

const barWidth = 30

/** How far the run is, in one line. */
function progressLine(run: HistoryRun): string {
  const { state, done, total, events, passedOver } = run
  const share = shareDone(run)
  if (total === undefined || share === undefined) return `${words[state]} …`
  // `done` is more than `total` when orders came after the run had counted them.
  const all = Math.max(total, done)
  const filled = Math.floor(share * barWidth)
  const bar = '█'.repeat(filled) + '░'.repeat(barWidth - filled)
  const counts = `${shown(done)} of ${ordersShown(all)}, ${shown(events)} events`
  const left = passedOver === 0 ? '' : `, ${ordersShown(passedOver)} passed over`
  return `${bar} ${Math.floor(share * 100)} %  ${words[state]}: ${counts}${left}`
}

const passedOverLines = ({ passedOverFor }: HistoryRun): string[] =>
  reasonsThatApply(passedOverFor).map(
    ({ reason, count }) => `  ${en[reason].replace('{{count}}', shown(count))}`,
  )

const words: Record<HistoryRun['state'], string> = {
  counting: 'Counting',
  running: 'Sending',
  paused: 'Paused',
  cancelled: 'Cancelled',
  done: 'Done',
  failed: 'Stopped',
}

const shown = (count: number): string => count.toLocaleString('en')

const ordersShown = (count: number): string => `${shown(count)} ${count === 1 ? 'order' : 'orders'}`

const eventsShown = (count: number): string => `${shown(count)} ${count === 1 ? 'event' : 'events'}`
