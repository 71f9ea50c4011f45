import { beforeEach, describe, expect, it } from 'vitest'
import { requestCountsSlug } from '../../../src/core/database/shared-counts.js'
import { partsOf } from '../../support/parts.js'
import { sharedStore } from '../../support/shared-store.js'
import { databaseKinds, joinStore, type TestStore } from '../../support/store.js'

const start = Date.parse('2026-03-10T12:00:00Z')
const minute = 60_000

describe.each(databaseKinds)('The counts that all processes share (%s)', (kind) => {
  let time = start
  const effects = { now: () => new Date(time) }
  const store = sharedStore(kind, { effects })
  beforeEach(async () => {
    time = start
    await store.payload.db.deleteMany({ collection: requestCountsSlug, where: {} })
  })

  const join = () => joinStore(kind, store.url, { effects })
  const inMinutes = (minutes: number) => time + minutes * minute
  const once = (key: string, endsAt = inMinutes(1)) => ({ key, times: 1, endsAt })
  const countsOf = ({ payload }: TestStore) => partsOf(payload).counts
  const add = (...given: Parameters<ReturnType<typeof countsOf>['add']>) =>
    countsOf(store).add(...given)
  const last = (key: string) => countsOf(store).last(key)
  const rows = async () =>
    (await store.payload.find({ collection: requestCountsSlug, pagination: false })).docs

  it('count a key from its first time on, until the end that the first has set', async () => {
    const endsAt = inMinutes(1)
    expect(await add([once('first', endsAt)])).toEqual([once('first', endsAt)])
    const [second] = await add([once('first', inMinutes(2))])
    expect(second).toEqual({ key: 'first', times: 2, endsAt })
  })

  it('begin anew when the minute is over', async () => {
    await add([{ key: 'anew', times: 5, endsAt: time - 1 }])
    const next = once('anew')
    expect(await add([next])).toEqual([next])
  })

  it('have the last count of a key that is kept, also when its minute is over', async () => {
    expect(await last('seldom')).toBeUndefined()
    const over = { key: 'seldom', times: 2, endsAt: time - 1 }
    await add([{ ...over, isKept: true }])
    expect(await last('seldom')).toMatchObject(over)
  })

  it('are taken back, and added to for many keys at once', async () => {
    const endsAt = inMinutes(1)
    const keys = Array.from({ length: 500 }, (_, index) => `many-${index}`)
    await add(keys.map((key) => ({ key, times: 3, endsAt })))
    const left = await add(keys.map((key) => ({ key, times: -1, endsAt })))
    expect(new Set(left.map(({ times }) => times))).toEqual(new Set([2]))
    expect(new Set(left.map(({ key }) => key))).toEqual(new Set(keys))
  })

  it('lose none of processes that add at once', async () => {
    const keys = ['b', 'a', 'c']
    const others = [await join(), await join()]
    const processes = [store, ...others].map(countsOf)
    await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        processes.map((counts) =>
          counts.add((index % 2 === 0 ? keys : keys.toReversed()).map((key) => once(key))),
        ),
      ).flat(),
    )
    const total = await add(keys.map((key) => once(key)))
    expect(total.map(({ times }) => times)).toEqual([61, 61, 61])
    for (const other of others) await other.close()
  })

  it('keep neither addresses nor accounts in words', async () => {
    await add([once('customers account ada@shop.example'), once('address 192.0.2.1')])
    expect(JSON.stringify(await rows())).not.toMatch(/ada|192\.0\.2/)
  })

  it('go when they are over, unless they are kept', async () => {
    await add([once('gone'), { ...once('refused'), isKept: true }])
    time = inMinutes(180)
    await add([once('later')])
    expect(await rows()).toHaveLength(2)
    expect(await last('refused')).toMatchObject({ times: 1 })
  })

  it('go when they are over, though a clock was a day ahead', async () => {
    time = inMinutes(24 * 60)
    await add([once('ahead of all')])
    time = start
    await add([once('ahead of all')])
    time = inMinutes(240)
    await add([once('much later')])
    expect(await rows()).toHaveLength(1)
  })

  it('end a minute within a minute, though a clock was an hour ahead', async () => {
    time = inMinutes(60)
    await add([once('ahead')])
    time = start
    const [count] = await add([once('ahead')])
    expect(count?.times).toBe(2)
    expect(count?.endsAt).toBeLessThanOrEqual(inMinutes(1))
    time = inMinutes(2)
    expect(await add([once('ahead')])).toMatchObject([{ times: 1 }])
  })
})
