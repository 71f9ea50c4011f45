import { copyFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { newDatabaseFolder } from '../support/database-folder.js'
import { seed, steps } from './steps.js'
import { openSimulatedShop, type SimulatedShop } from './world.js'

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

  it('keeps what it promises while its processes are killed and the platforms fail', async () => {
    await fc.assert(
      fc.asyncProperty(seed, steps, async (own, given) => {
        expect((await shop.play(own, given)).problems).toEqual([])
      }),
      { numRuns: 10, seed: 1 },
    )
  })
})
