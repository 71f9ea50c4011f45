import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { afterEach, describe, expect, it } from 'vitest'
import { processScript } from '../../support/process-script.js'
import { databaseKinds } from '../../support/store.js'
import { adalgisa, openErasureShop, type ErasureShop } from './erasure-shop.js'

describe.each(databaseKinds)('An erasure whose process is killed in the middle (%s)', (kind) => {
  let shop: ErasureShop
  afterEach(() => shop.close())

  it('is finished by the next process, or did not happen', async () => {
    shop = await openErasureShop(kind, { erasure: { orders: 'anonymise' } })
    const { id } = await shop.signUp()
    const names = Object.values(adalgisa)
    const before = await shop.search(names)
    const script = processScript('erase-process')
    const child = spawn(process.execPath, [script, kind, shop.url, adalgisa.email.toLowerCase()], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const ended = once(child, 'exit')
    await Promise.race([once(createInterface({ input: child.stdout }), 'line'), ended])
    expect(child.exitCode).toBeNull()
    child.kill('SIGKILL')
    await ended

    const { totalDocs } = await shop.payload.count({
      collection: 'users',
      where: { id: { equals: id } },
    })
    // Without a transaction the account is gone, and what is left of the person is erased later.
    expect(totalDocs).toBe(kind === 'sqlite' ? 0 : 1)
    if (kind === 'postgres') {
      await expect.poll(() => shop.search(names)).toEqual(before)
      expect(await shop.erasures()).toEqual([])
      await shop.remove(id)
    }
    await shop.finish()
    expect(await shop.search(names)).toEqual([])
  })
})
