import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sqlDatabase } from '../../src/database/database.js'
import { createSharedCounts, requestCountsSlug } from '../../src/database/shared-counts.js'
import { databaseKinds, openStore, type TestStore } from '../support/store.js'

const inMinutes = (minutes: number) => Date.now() + minutes * 60_000
const once = (key: string, endsAt = inMinutes(1)) => ({ key, times: 1, endsAt })

describe.each(databaseKinds)('createSharedCounts (%s)', (kind) => {
  let store: TestStore
  beforeAll(async () => {
    store = await openStore(kind)
  })
  afterAll(() => store.close())

  const open = (now = () => new Date()) =>
    createSharedCounts(sqlDatabase(store.payload), { secret: store.payload.config.secret, now })
  const rows = async () =>
    (await store.payload.find({ collection: requestCountsSlug, pagination: false })).docs

  it('counts a key from its first time on, until the end that the first has set', async () => {
    const counts = open()
    const endsAt = inMinutes(1)
    expect(await counts.add([once('first', endsAt)])).toEqual([once('first', endsAt)])
    const [second] = await counts.add([once('first', inMinutes(2))])
    expect(second).toEqual({ key: 'first', times: 2, endsAt })
  })

  it('begins anew when the minute is over', async () => {
    const counts = open()
    await counts.add([{ key: 'anew', times: 5, endsAt: Date.now() - 1 }])
    const next = once('anew')
    expect(await counts.add([next])).toEqual([next])
  })

  it('has the last count of a key that is kept, also when its minute is over', async () => {
    const counts = open()
    expect(await counts.last('seldom')).toBeUndefined()
    const over = { key: 'seldom', times: 2, endsAt: Date.now() - 1 }
    await counts.add([{ ...over, isKept: true }])
    expect(await counts.last('seldom')).toMatchObject(over)
  })

  it('takes counts back, and adds to many keys at once', async () => {
    const counts = open()
    const endsAt = inMinutes(1)
    const keys = Array.from({ length: 500 }, (_, index) => `many-${index}`)
    await counts.add(keys.map((key) => ({ key, times: 3, endsAt })))
    const left = await counts.add(keys.map((key) => ({ key, times: -1, endsAt })))
    expect(new Set(left.map(({ times }) => times))).toEqual(new Set([2]))
    expect(new Set(left.map(({ key }) => key))).toEqual(new Set(keys))
  })

  it('loses no count of processes that add at once', async () => {
    const keys = ['b', 'a', 'c']
    const processes = [open(), open(), open()]
    await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        processes.map(({ add }) =>
          add((index % 2 === 0 ? keys : keys.toReversed()).map((key) => once(key))),
        ),
      ).flat(),
    )
    const total = await open().add(keys.map((key) => once(key)))
    expect(total.map(({ times }) => times)).toEqual([61, 61, 61])
  })

  it('keeps neither addresses nor accounts in words', async () => {
    await open().add([once('customers account ada@shop.example'), once('address 192.0.2.1')])
    expect(JSON.stringify(await rows())).not.toMatch(/ada|192\.0\.2/)
  })

  it('removes what is over, unless it is kept', async () => {
    await open().add([once('gone'), { ...once('refused'), isKept: true }])
    const later = () => new Date(inMinutes(10))
    await open(later).add([once('later', inMinutes(11))])
    const kept = (await rows()).filter(({ id }) => String(id).startsWith('kept '))
    expect((await rows()).length - kept.length).toBe(1)
    expect(await open().last('refused')).toMatchObject({ times: 1 })
  })

  it('ends a minute within a minute, though a clock was an hour ahead', async () => {
    await open(() => new Date(inMinutes(60))).add([once('ahead', inMinutes(61))])
    const [count] = await open().add([once('ahead')])
    expect(count?.times).toBe(2)
    expect(count?.endsAt).toBeLessThanOrEqual(inMinutes(1))
    const later = () => new Date(inMinutes(2))
    expect(await open(later).add([once('ahead', inMinutes(3))])).toMatchObject([{ times: 1 }])
  })
})
