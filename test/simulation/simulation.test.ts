import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { emptyDatabase } from '../support/own-database.js'
import type { DatabaseKind } from '../support/store-config.js'
import { databaseKinds } from '../support/store.js'
import { playAlike } from './play-alike.js'
import type { Aim } from './sim-process.js'
import { runsOf } from './steps.js'
import { openSimulatedShop, type SimulatedShop } from './simulated-shop.js'
import type { Step } from './step.js'

/** On SQLite, and fewer on PostgreSQL and on both, where a run takes five times as long. `npm run proof` plays many more. */
const numRuns = Number(process.env.SIMULATED_RUNS ?? 10)
const slowRuns = Number(process.env.SIMULATED_SLOW_RUNS ?? 1)
const longestMs = 180_000 + numRuns * 10_000
/** A run that fails or hangs is named by its path, and nothing else is played (`docs/simulation.md`). */
const untilOneFails = { seed: 1, endOnFailure: true, timeout: 180_000 }

const event = (at = 0): Step => ({ do: 'post', person: 0, kind: 'event', at })
const consents = (kind: 'subscribe' | 'unsubscribe', at = 0): Step =>
  ({ do: 'post', person: 2, kind, at }) as const
const wait = (ms: number): Step => ({ do: 'wait', ms })
const order: Step = { do: 'order', person: 0, at: 0 }
const setClock = (at: number, seconds: number): Step => ({ do: 'set clock', at, seconds })
const kill = (aim?: Aim): Step => ({ do: 'kill', at: 3, aim })
const crowd = (poison: number): Step =>
  ({ do: 'crowd', kind: 'identify', people: 30, poison, at: 0 }) as const

/** What was found once, with the seeds that found it. */
const found: [what: string, seed: number, steps: Step[]][] = [
  [
    'nothing waits for an hour because a process was lost right after its clock was set ahead',
    1,
    [wait(2_500), event(), event(2), event(), event(), setClock(3, 3_600), kill()],
  ],
  [
    'nobody is subscribed twice who left and came back in one millisecond',
    0,
    [consents('unsubscribe'), consents('subscribe'), wait(500), consents('subscribe', 1)],
  ],
  [
    'an order that a machine an hour behind has saved is told, though its process is gone',
    1548252157,
    [setClock(0, -3_600), order, order, event()],
  ],
  [
    'a value that is refused fails alone in a crowd, and not with those of its profile that went with it',
    5,
    [crowd(4), crowd(31)],
  ],
  [
    'a call in a crowd whose answer is lost takes nothing back',
    0,
    [crowd(31), wait(12_000), event()],
  ],
  [
    'a call in a crowd whose process is lost takes nothing back',
    0,
    [wait(500), kill({ of: 'calls', after: 0 }), crowd(-1), wait(12_000), event(1), wait(12_000)],
  ],
  [
    'a parcel goes on when the process is lost that saves its order',
    2,
    [
      order,
      wait(2_500),
      { do: 'ship', order: 0, parcel: 4, at: 0 },
      { do: 'kill', at: 0, aim: { of: 'anything', after: 2 } },
    ],
  ],
]

async function openShop(kind: DatabaseKind): Promise<SimulatedShop> {
  const database = await emptyDatabase(kind)
  const shop = await openSimulatedShop(kind, database.url)
  return { ...shop, close: () => shop.close().then(() => database.remove()) }
}

describe.each(databaseKinds)('The simulated shop on %s', (kind) => {
  let shop: SimulatedShop

  beforeAll(async () => {
    shop = await openShop(kind)
  })
  afterAll(() => shop.close())

  it.each(found)('%s (seed %i)', async (_, own, given) => {
    expect((await shop.play({ of: 'shop', seed: own, people: 3, steps: given })).problems).toEqual(
      [],
    )
  })

  it.runIf(kind === 'sqlite')('does the same again with the same seed', async () => {
    for (const run of fc.sample(runsOf('shop'), { numRuns: 3, seed: 2 })) {
      const first = await shop.play(run)
      expect((await shop.play(run)).trace).toEqual(first.trace)
    }
  })

  it(
    'keeps what it promises while its processes are killed and the platforms fail',
    async () => {
      await fc.assert(
        fc.asyncProperty(runsOf('all'), async (run) => {
          expect((await shop.play(run)).problems).toEqual([])
        }),
        { ...untilOneFails, numRuns: kind === 'sqlite' ? numRuns : slowRuns },
      )
    },
    longestMs,
  )
})

describe.runIf(databaseKinds.length > 1)('The simulated shop on both databases', () => {
  let shop: SimulatedShop
  let twin: SimulatedShop

  beforeAll(async () => {
    shop = await openShop('sqlite')
    twin = await openShop('postgres')
  })
  afterAll(async () => {
    await shop.close()
    await twin.close()
  })

  it(
    'ends alike where its steps decide what it ends in',
    async () => {
      await fc.assert(
        fc.asyncProperty(runsOf('alike'), async (run) => {
          expect((await playAlike(shop, twin, run)).problems).toEqual([])
        }),
        { ...untilOneFails, numRuns: slowRuns },
      )
    },
    longestMs,
  )
})
