import { copyFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { newDatabaseFolder } from '../support/database-folder.js'
import { runsOf } from './steps.js'
import { openSimulatedShop, type SimulatedShop, type Step } from './world.js'

/** As many as fit in half a minute; `npm run proof` plays many more. */
const numRuns = Number(process.env.SIMULATED_RUNS ?? 100)
const longestMs = 180_000 + numRuns * 5_000

const event: Step = { do: 'post', person: 0, kind: 'event', at: 0 }

/** What was found once, with the seeds that found it. */
const found: [what: string, seed: number, steps: Step[]][] = [
  [
    'nothing waits for an hour because a process was lost right after its clock was set ahead',
    1,
    [
      { do: 'wait', ms: 2_500 },
      event,
      { ...event, at: 2 },
      event,
      event,
      { do: 'set clock', at: 3, seconds: 3_600 },
      { do: 'kill', at: 3 },
    ],
  ],
  [
    'nobody is subscribed twice who left and came back in one millisecond',
    0,
    [
      { do: 'post', person: 2, kind: 'unsubscribe', at: 0 },
      { do: 'post', person: 2, kind: 'subscribe', at: 0 },
      { do: 'wait', ms: 500 },
      { do: 'post', person: 2, kind: 'subscribe', at: 1 },
    ],
  ],
  [
    'an import refuses the value of one send, and not those of its profile that went with it',
    5,
    [
      { do: 'crowd', kind: 'identify', poison: 4, at: 0 },
      { do: 'crowd', kind: 'identify', poison: 31, at: 0 },
    ],
  ],
]

describe('The simulated shop', () => {
  const folder = newDatabaseFolder()
  let shop: SimulatedShop

  beforeAll(async () => {
    const url = join(folder, 'store.db')
    copyFileSync(inject('sqliteTemplate'), url)
    shop = await openSimulatedShop(url)
  })
  afterAll(async () => {
    await shop.close()
    rmSync(folder, { recursive: true })
  })

  it.each(found)('%s (seed %i)', async (_, own, given) => {
    expect((await shop.play({ of: 'shop', seed: own, steps: given })).problems).toEqual([])
  })

  it('does the same again with the same seed', async () => {
    const [run] = fc.sample(runsOf.shop, { numRuns: 1, seed: 2 })
    if (run === undefined) throw new Error('There is no run.')
    const first = await shop.play(run)
    expect((await shop.play(run)).trace).toEqual(first.trace)
  })

  it(
    'keeps what it promises while its processes are killed and the platforms fail',
    async () => {
      await fc.assert(
        fc.asyncProperty(runsOf.all, async (run) => {
          expect((await shop.play(run)).problems).toEqual([])
        }),
        { numRuns, seed: 1 },
      )
    },
    longestMs,
  )
})
