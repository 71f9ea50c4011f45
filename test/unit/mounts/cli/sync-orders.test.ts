import { describe, expect, it } from 'vitest'
import { exitCodes } from '../../../../src/mounts/cli/arguments.js'
import { syncOrders } from '../../../../src/mounts/cli/sync-orders.js'
import type { DeliveryStatus } from '../../../../src/marketing/delivery/klaviyo-sessions.js'
import type { Histories } from '../../../../src/marketing/history/histories.js'
import type { HistoryRun } from '../../../../src/marketing/history/history-table.js'

const aRun = (changes: Partial<HistoryRun> = {}): HistoryRun => ({
  id: 1,
  from: '2025-01-01',
  to: '2026-01-01',
  state: 'counting',
  total: undefined,
  done: 0,
  events: 0,
  passedOver: 0,
  passedOverFor: undefined,
  lastError: undefined,
  startedBy: undefined,
  createdAt: '2026-11-02T10:00:00.000Z',
  endedAt: undefined,
  ...changes,
})

interface World {
  /** The run, look after look. */
  looks?: HistoryRun[]
  answer?: string
  isInteractive?: boolean
  isBusy?: boolean
  hasKey?: boolean
  isPreview?: boolean
  /** Looks after which the person leaves. */
  stays?: number
  /** Events that are left, look after look; the last number stays. */
  waiting?: number[]
  /** Events that have failed in the end. */
  failed?: number
  /** Why they are left. */
  pauses?: DeliveryStatus['pauses']
}

/** A terminal and a history in memory. */
function worldOf({ looks = [], answer = 'n', stays = 1000, ...world }: World = {}) {
  const said: string[] = []
  let looked = 0
  const seen = { started: 0, delivering: false }
  const waiting = world.waiting ?? [0]
  const histories: Pick<Histories, 'countOrders' | 'start' | 'find'> = {
    countOrders: () => Promise.resolve(1234),
    start() {
      seen.started += 1
      return Promise.resolve({ run: aRun(), isNew: world.isBusy !== true })
    },
    // The last look stays.
    find: () => Promise.resolve(looks.length > 1 ? looks.shift() : looks[0]),
  }
  const run = (...given: string[]) =>
    syncOrders(given, {
      histories: histories as Histories,
      delivery: {
        start: () => void (seen.delivering = true),
        counts: () =>
          Promise.resolve({
            waiting: (waiting.length > 1 ? waiting.shift() : waiting[0]) ?? 0,
            failed: looked === 0 ? 7 : 7 + (world.failed ?? 0),
            lastSentAt: undefined,
          }),
        status: () =>
          Promise.resolve({
            keyProblem: world.hasKey === false ? 'missing' : undefined,
            modeProblem: world.isPreview === true ? 'preview' : undefined,
            pauses: world.pauses ?? [],
          }),
      },
      terminal: {
        isInteractive: world.isInteractive ?? true,
        say: (line) => void said.push(line),
        show: (line) => void said.push(line),
        ask: () => Promise.resolve(answer),
        isLeaving: () => looked >= stays,
        wait: () => Promise.resolve(void (looked += 1)),
      },
    })
  return { run, said, seen }
}

const period = ['--from', '2025-01-01', '--to', '2026-01-01']
const waited = [...period, '--yes', '--wait']
const done = aRun({ state: 'done', total: 10, done: 10, events: 30 })

describe('storeconnect sync-orders', () => {
  it.each([
    [[], '--from is missing.'],
    [['--from', '2025-01-01'], '--to is missing.'],
    [[...period, '--all'], "Unknown option '--all'."],
    [['--to', '2026-01-01', '--from'], "Option '--from <value>' argument missing."],
    [['--from', '2025-01-01', '--to', '2025-02-30'], 'and not "2025-02-30".'],
    [['--from', '2025-01-01', '--to', '2025-01-01'], '--to must be later than --from'],
    [['--from', '0001-01-01', '--to', '2025-01-01'], '--from must not be before 1970-01-01.'],
  ])('called as %j says what is wrong, and explains itself', async (given, problem) => {
    const { run, said, seen } = worldOf()
    expect(await run(...given)).toBe(exitCodes.usage)
    expect(said.join('\n')).toContain(problem)
    expect(said.join('\n')).toContain('Usage: storeconnect sync-orders')
    expect(await run('-h')).toBe(exitCodes.done)
    expect(seen.started).toBe(0)
  })

  it('says how many orders there are and asks before it begins', async () => {
    const declined = worldOf({ answer: 'n' })
    expect(await declined.run(...period)).toBe(exitCodes.declined)
    expect(declined.said[0]).toContain('1,234 orders')
    expect(declined.seen.started).toBe(0)

    const wanted = worldOf({ answer: 'Yes' })
    expect(await wanted.run(...period)).toBe(exitCodes.done)
    expect(wanted.seen).toEqual({ started: 1, delivering: false })
  })

  it('begins without asking with --yes alone, where nobody sits', async () => {
    const silent = worldOf({ isInteractive: false })
    expect(await silent.run(...period)).toBe(exitCodes.usage)
    expect(silent.seen.started).toBe(0)
    expect(await silent.run(...period, '--yes')).toBe(exitCodes.done)
    expect(silent.seen.started).toBe(1)
  })

  it('shows how far it is with --wait, until it is done', async () => {
    const { run, said, seen } = worldOf({
      looks: [aRun({ state: 'running', total: 10, done: 5, events: 15, passedOver: 1 }), done],
    })
    expect(await run(...waited)).toBe(exitCodes.done)
    expect(seen).toMatchObject({ delivering: true })
    expect(said.join('\n')).toMatch(
      /50 % {2}Sending: 5 of 10 orders, 15 events, 1 order passed over/,
    )
    expect(said.join('\n')).toMatch(/100 % {2}Done: 10 of 10 orders, 30 events/)
  })

  it('says why orders were passed over, as far as it applies, with --wait', async () => {
    const passedOverFor = { historySwitchedOff: 1200, historyNoEmail: 3 }
    const { run, said } = worldOf({
      looks: [aRun({ state: 'done', total: 9, done: 9, passedOver: 1203, passedOverFor })],
    })
    await run(...waited)
    expect(said.filter((line) => line.startsWith('  '))).toEqual([
      '  Without a valid email: 3',
      '  Their events are switched off in the settings: 1,200',
    ])
  })

  it.each(['failed', 'cancelled', 'paused'] as const)(
    'ends with an error when it is %s',
    async (state) => {
      const { run, said } = worldOf({ looks: [aRun({ state, lastError: 'historyGivenUp' })] })
      expect(await run(...waited)).toBe(exitCodes.failed)
      expect(said.at(-1)).toContain('The log says why.')
    },
  )

  it('leaves the run going when the person leaves, and says so', async () => {
    const { run, said } = worldOf({ looks: [aRun()], stays: 1 })
    expect(await run(...waited)).toBe(exitCodes.left)
    expect(said.at(-1)).toContain('The run goes on')
  })

  it('does not begin while another period is on its way', async () => {
    const { run, said } = worldOf({ isBusy: true })
    expect(await run(...period, '--yes')).toBe(exitCodes.busy)
    expect(said.join('\n')).toContain('on their way already')
  })

  it('says that the events will wait when there is no key', async () => {
    const { run, said } = worldOf({ hasKey: false })
    await run(...period, '--yes')
    expect(said.join('\n')).toContain('no API key')
  })

  it('says what is left in the end and why, and ends with an error then', async () => {
    const until = new Date('2026-11-02T10:00:00Z')
    const refused = worldOf({
      looks: [done],
      waiting: [1234],
      pauses: [
        {
          call: 'profile',
          isOfKey: false,
          reason: 'outage',
          scopes: [],
          since: until,
          at: until,
          until,
        },
        {
          call: 'events',
          isOfKey: true,
          reason: 'misconfigured',
          scopes: [],
          since: until,
          at: until,
          until,
        },
      ],
    })
    expect(await refused.run(...waited)).toBe(exitCodes.failed)
    expect(refused.said.join('\n')).toMatch(/Not sent yet: 1,234 events.*\n.*refuses the API key/)

    const keyless = worldOf({ looks: [done], waiting: [30], hasKey: false })
    expect(await keyless.run(...waited)).toBe(exitCodes.failed)
    expect(keyless.said.at(-1)).toContain('There is no API key yet.')
  })

  it('waits as long as the queue moves, though the shop’s own server sends it', async () => {
    const still = Array.from({ length: 100 }, () => 3000)
    const { run, said } = worldOf({
      looks: [aRun({ state: 'done', total: 10, done: 10, events: 5000 })],
      waiting: [5000, 5000, 5000, ...still, 1200, 1200, ...still.map(() => 40), 0],
    })
    expect(await run(...waited)).toBe(exitCodes.done)
    expect(said.filter((line) => line.startsWith('Not sent yet'))).toEqual(
      ['5,000', '3,000', '1,200', '40'].map((count) => `Not sent yet: ${count} events.`),
    )
  })

  it('ends with an error when nothing has moved for two minutes, of the run itself too', async () => {
    const stuck = worldOf({
      looks: [aRun({ state: 'running', total: 10, done: 5 })],
      waiting: [4000],
    })
    expect(await stuck.run(...waited)).toBe(exitCodes.failed)
    expect(stuck.said.at(-1)).toBe(
      'Nothing has moved for 2 minutes. Not sent yet: 4,000 events. They go out while the shop runs.',
    )
  })

  it('ends with an error when events have failed meanwhile, and not because of earlier ones', async () => {
    const { run, said } = worldOf({ looks: [done], waiting: [30, 30, 0], failed: 2 })
    expect(await run(...waited)).toBe(exitCodes.failed)
    expect(said.at(-1)).toContain('Failed: 2 events.')
  })

  it('names a pause once while it waits', async () => {
    const until = new Date('2026-11-02T10:00:00Z')
    const running = aRun({ state: 'running', total: 10, done: 5 })
    const { run, said } = worldOf({
      looks: [running, running, done],
      pauses: [
        {
          call: 'events',
          isOfKey: false,
          reason: 'outage',
          scopes: [],
          since: until,
          at: until,
          until,
        },
      ],
    })
    expect(await run(...waited)).toBe(exitCodes.done)
    expect(said.filter((line) => line.startsWith('Klaviyo does not answer'))).toHaveLength(1)
  })

  it('says that a preview sends nothing, and follows what the shop sends', async () => {
    const running = aRun({ state: 'running', total: 10, done: 5 })
    const { run, said } = worldOf({ looks: [running, done], isPreview: true })
    expect(await run(...waited)).toBe(exitCodes.done)
    expect(said.filter((line) => line.startsWith('This is a preview.'))).toHaveLength(1)
  })

  it('shows a run without orders as empty until it is done, and full then', async () => {
    const { run, said } = worldOf({
      looks: [aRun({ state: 'running', total: 0 }), aRun({ state: 'done', total: 0 })],
    })
    await run(...waited)
    expect(said.filter((line) => line.includes('0 of 0 orders'))).toEqual([
      expect.stringMatching(/^░+ 0 % {2}Sending/),
      expect.stringMatching(/^█+ 100 % {2}Done/),
    ])
  })
})
