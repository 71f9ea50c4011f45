import { describe, expect, it } from 'vitest'
import { groupWrites } from '../../../../src/core/workers/group-writes.js'

/** A database that writes when the test says so, and refuses what is called bad. */
function aDatabase(isDown = () => false) {
  const writes: string[][] = []
  let finishWrite: (() => void) | undefined
  return {
    writes,
    /** Lets the write that is going on end; others wait again. */
    finish: () => finishWrite?.(),
    hold: false,
    async write(this: void, items: readonly string[]) {
      writes.push([...items])
      if (database.hold) await new Promise<void>((resolve) => (finishWrite = resolve))
      if (isDown() || items.includes('bad')) throw new Error(`Cannot write ${items.join()}`)
    },
  }
}
let database: ReturnType<typeof aDatabase>

const nextTick = () => new Promise((resolve) => setImmediate(resolve))

describe('groupWrites', () => {
  const open = (itemsAtMost = 100, isDown?: () => boolean) => {
    database = aDatabase(isDown)
    return groupWrites<string>(itemsAtMost, database.write)
  }

  it('writes the calls of one tick together', async () => {
    const store = open()
    await Promise.all([store(['a']), store(['b', 'c']), store(['d'])])
    expect(database.writes).toEqual([['a', 'b', 'c', 'd']])
  })

  it('writes together what arrives while a write is going on, and resolves each when it is written', async () => {
    const store = open()
    database.hold = true
    let isStored = false
    const first = store(['a']).then(() => (isStored = true))
    await nextTick()
    const others = [store(['b']), store(['c'])]
    await nextTick()
    expect([database.writes, isStored]).toEqual([[['a']], false])
    database.hold = false
    database.finish()
    await Promise.all([first, ...others])
    expect(database.writes).toEqual([['a'], ['b', 'c']])
  })

  it('writes no more at once than it may, but never parts a call', async () => {
    const store = open(2)
    await Promise.all([store(['a']), store(['b']), store(['c']), store(['d', 'e', 'f'])])
    expect(database.writes).toEqual([['a', 'b'], ['c'], ['d', 'e', 'f']])
  })

  it('rejects the call that cannot be written, and no other', async () => {
    const store = open()
    const results = await Promise.allSettled([store(['a']), store(['bad']), store(['b'])])
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect(results[1]).toMatchObject({ reason: new Error('Cannot write bad') })
  })

  it('does not try every call alone when the database is gone, and writes again when it is back', async () => {
    let isDown = true
    const store = open(100, () => isDown)
    const calls = Array.from({ length: 20 }, (_, index) => store([`item ${index}`]))
    const results = await Promise.allSettled(calls)
    expect(results.every(({ status }) => status === 'rejected')).toBe(true)
    expect(database.writes).toHaveLength(4)
    isDown = false
    await store(['later'])
    expect(database.writes.at(-1)).toEqual(['later'])
  })
})
