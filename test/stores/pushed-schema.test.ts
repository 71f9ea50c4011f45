import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { emptyDatabase, type OwnDatabase } from '../support/own-database.js'
import { processScript } from '../support/process-script.js'

const run = promisify(execFile)

type Word = 'connected' | 'fill' | 'sell' | 'older'

describe('A shop that pushes its schema to SQLite while it is developed', () => {
  let database: OwnDatabase
  beforeEach(async () => void (database = await emptyDatabase('sqlite')))
  afterEach(() => database.remove())

  /** What it says that it has stored, once it has started. */
  async function start(words: Word[], answer = ''): Promise<unknown> {
    const started = run(
      process.execPath,
      [processScript('pushed-shop-process'), database.url, ...words],
      { env: { ...process.env, NODE_ENV: 'development' } },
    )
    started.child.stdin?.end(answer)
    const { stdout } = await started
    const [last = ''] = stdout.trim().split('\n').slice(-1)
    return last.startsWith('{') ? JSON.parse(last) : undefined
  }

  const rows = (site?: number | null) => {
    const row = { customer: 1, items: [2], ...(site !== undefined && { site }) }
    return { carts: [row], orders: [row] }
  }

  it('takes Storeconnect in and lets it go, at every start, with its carts and orders', async () => {
    expect(await start(['fill'])).toEqual(rows())
    expect(await start(['connected'])).toEqual(rows(null))
    expect(await start(['connected', 'sell'])).toEqual(rows(1))
    expect(await start([], 'n')).toBeUndefined()
    expect(await start(['connected'])).toEqual(rows(1))
    expect(await start([], 'y')).toEqual(rows())
    expect(await start([])).toEqual(rows())
    expect(await start([])).toEqual(rows())
  })

  it('starts where an edition with foreign keys to sites has pushed', async () => {
    expect(await start(['connected', 'older', 'fill', 'sell'])).toEqual(rows(1))
    expect(await start(['connected'])).toEqual(rows(1))
    expect(await start([], 'y')).toEqual(rows())
  })
})
