import fc from 'fast-check'
import { getPayload } from 'payload'
import { randomFrom } from '../../dev/seed/random.ts'
import { installedIn } from '../../src/core/installation.js'
import { pushSchema } from '../support/push-schema.js'
import { storeConfig, type DatabaseKind } from '../support/store-config.js'
import './loaded-before.js'
import { memoryDatabase } from './memory-database.js'
import { postgresDatabase } from './postgres-database.js'
import { reviewsCollection } from './reviews.js'
import { Scheduler } from './scheduler.js'
import { running, simulatedEffects, simulatedOptions, type SimProcess } from './sim-process.js'
import type { Run } from './step.js'
import { runsOf } from './steps.js'
import { virtualDates } from './virtual-date.js'
import { World } from './world.js'

/** A shop that is made once and simulated many times. */
export type SimulatedShop = Awaited<ReturnType<typeof openSimulatedShop>>

/** @param url A SQLite file, or a database of PostgreSQL, without any table. */
export async function openSimulatedShop(kind: DatabaseKind, url: string) {
  let world: World | undefined
  const effects = simulatedEffects((request, process) => {
    if (world === undefined) throw new Error('Nobody plays.')
    return world.calls.fetch(request, process)
  })
  const setup = {
    kind,
    url,
    collections: [reviewsCollection],
    userAuth: { verify: true },
    options: simulatedOptions,
  }
  await pushSchema(await storeConfig(setup))
  const restoreDates = virtualDates(() => running.getStore() && effects.now().getTime())
  // What is made at start-up belongs to a process that never runs.
  const none = new Scheduler(randomFrom(0))
  const base = await running.run({ scheduler: none, aheadMs: 0 } as SimProcess, async () => {
    const payload = await getPayload({
      config: await storeConfig({ ...setup, effects }),
      key: url,
    })
    await installedIn(payload)
    return payload
  })
  const database =
    kind === 'sqlite' ? await memoryDatabase(base) : await postgresDatabase(url, base)

  /** Resolves to what is wrong; an empty list when all is as it must be. */
  const play = async (run: Run) => {
    await database.clear()
    const played = new World(base, { database, effects, run })
    world = played
    return { problems: await played.play(), trace: played.scheduler.trace, world: played }
  }
  // What is made once, at its first use, would change the first run.
  for (const run of fc.sample(runsOf('shop'), { numRuns: 2, seed: 0 })) await play(run)

  return {
    kind,
    play,
    async close() {
      restoreDates()
      await database.close()
      await base.destroy()
    },
  }
}
