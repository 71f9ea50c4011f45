import { describe, expect, it } from 'vitest'
import {
  afterPage,
  keepProgress,
  readProgress,
  dailyCheck,
  walkFrom,
  type ConsentProgress,
} from '../../../../src/marketing/consent/consent-progress.js'

const at = (time: string) => new Date(`2026-03-10T${time}:00Z`)

/** Payload's key-value store, in memory. */
function openStore() {
  const kept = new Map<string, unknown>()
  return {
    kv: {
      get: <Data>(key: string) => Promise.resolve((kept.get(key) ?? null) as Data | null),
      set: (key: string, value: unknown) => Promise.resolve(void kept.set(key, value)),
    },
  }
}

describe('How far consents were read', () => {
  const progress: ConsentProgress = {
    key: 'mark',
    polledAt: at('12:00'),
    suppressed: {
      reached: at('11:00'),
      open: { from: at('10:40'), page: 'bmV4dA', begunAt: at('11:55') },
    },
    updated: { reached: at('11:30') },
    customers: { begunAt: at('09:00'), behind: 7 },
    pending: ['01A'],
  }

  it('is kept for any process', async () => {
    const store = openStore()
    await keepProgress(store, progress)
    expect(await readProgress(store, { key: 'mark', now: at('12:10') })).toEqual(progress)
  })

  it('is nothing for the key of another account: everybody who has left is read', async () => {
    const store = openStore()
    await keepProgress(store, progress)
    const anew = await readProgress(store, { key: 'other', now: at('12:10') })
    expect(anew).toMatchObject({ key: 'other', polledAt: new Date(0), pending: [] })
    expect(walkFrom(anew.suppressed, at('12:10'))).toEqual({ from: new Date(0) })
    expect(anew.customers).toEqual({ begunAt: at('12:10') })
  })

  it('lets a walk go on at its page, or begin twenty minutes earlier, by the clock that is behind', () => {
    const goesOn = { from: at('10:40'), page: 'bmV4dA' }
    expect(walkFrom(progress.suppressed, at('12:10'))).toEqual(goesOn)
    expect(walkFrom({ reached: at('11:30') }, at('12:10'))).toEqual({ from: at('11:10') })
    expect(walkFrom({ reached: at('15:00') }, at('12:10'))).toEqual({ from: at('11:50') })
  })

  it('is the last moment of a page, and after the last page the moment at which the walk began', () => {
    const page = { from: at('11:10'), begunAt: at('12:00') }
    const first = afterPage(
      { reached: at('11:30') },
      { ...page, nextPage: 'two', readUntil: at('11:40') },
    )
    expect(first).toEqual({
      reached: at('11:40'),
      open: { from: at('11:10'), page: 'two', begunAt: at('12:00') },
    })
    const later = { from: at('11:10'), begunAt: at('13:00'), readUntil: undefined }
    expect(afterPage(first, { ...later, nextPage: 'three' })).toEqual({
      reached: at('11:40'),
      open: { from: at('11:10'), page: 'three', begunAt: at('12:00') },
    })
    expect(afterPage(first, later)).toEqual({ reached: at('12:00') })
  })

  it('goes round the customers once a day', () => {
    expect(dailyCheck(progress, new Date('2026-03-11T08:59:00Z'))).toEqual(progress.customers)
    const now = new Date('2026-03-11T09:00:00Z')
    expect(dailyCheck(progress, now)).toEqual({ begunAt: now })
  })
})
