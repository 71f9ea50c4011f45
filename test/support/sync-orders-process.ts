import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { syncOrders } from '../../src/mounts/cli/sync-orders.js'
import { processTerminal } from '../../src/mounts/cli/terminal.js'
import type { Histories } from '../../src/marketing/history/histories.js'
import type { HistoryRun } from '../../src/marketing/history/history-table.js'

// The command at a terminal of its own, with a history in memory. Its first argument names what never
// ends: `count`, `run`, `send`, or nothing; `untouched` counts until somebody wants to leave. It says
// `begun` when a run was begun.
const [never = '', at = 'pipe', ...given] = process.argv.slice(2)

if (at === 'terminal') {
  process.stdin.isTTY = true
  process.stdout.isTTY = true
}
const forEver = () => pause(60_000)
const run: HistoryRun = {
  id: 1,
  from: '2025-01-01',
  to: '2026-01-01',
  state: never === 'run' ? 'running' : 'done',
  total: 3,
  done: 3,
  events: 9,
  passedOver: 0,
  passedOverFor: undefined,
  lastError: undefined,
  startedBy: undefined,
  createdAt: new Date().toISOString(),
  endedAt: undefined,
}
const say = (line: string) => process.stdout.write(`${line}\n`)
const histories: Pick<Histories, 'countOrders' | 'start' | 'find'> = {
  async countOrders() {
    say('counting')
    if (never === 'count') await forEver()
    if (never === 'untouched') await Promise.race([once(process, 'SIGINT'), forEver()])
    return 3
  },
  start() {
    say('begun')
    return Promise.resolve({ run, isNew: true })
  },
  find: () => Promise.resolve(run),
}
const code = await syncOrders(['--from', run.from, '--to', run.to, ...given], {
  histories: histories as Histories,
  delivery: {
    start: () => undefined,
    counts: () =>
      Promise.resolve({ waiting: never === 'send' ? 9 : 0, failed: 0, lastSentAt: undefined }),
    status: () => Promise.resolve({ keyProblem: undefined, modeProblem: undefined, pauses: [] }),
  },
  terminal: processTerminal(),
})
process.exit(code)
