import { execFileSync } from 'node:child_process'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { emptyDatabase, type OwnDatabase } from '../support/own-database.js'
import { processScript } from '../support/process-script.js'

type Word = 'connected' | 'fill' | 'sell' | 'older'

describe(
  'A shop that pushes its schema to SQLite while it is developed',
  { timeout: 60_000 },
  () => {
    let database: OwnDatabase
    beforeEach(async () => void (database = await emptyDatabase('sqlite')))
    afterEach(() => database.remove())

    /** What it says that it has stored, once it has started. */
    function start(words: Word[], answer = ''): unknown {
      const said = execFileSync(
        process.execPath,
        [processScript('pushed-shop-process'), database.url, ...words],
        { input: answer, encoding: 'utf8', env: { ...process.env, NODE_ENV: 'development' } },
      )
      const [last = ''] = said.trim().split('\n').slice(-1)
      return last.startsWith('{') ? JSON.parse(last) : undefined
    }

    const rows = (site?: number | null) => {
      const row = { customer: 1, items: [2], ...(site !== undefined && { site }) }
      return { carts: [row], orders: [row] }
    }

    it('takes Storeconnect in and lets it go, at every start, with its carts and orders', () => {
      expect(start(['fill'])).toEqual(rows())
      expect([start(['connected']), start(['connected'])]).toEqual([rows(null), rows(null)])
      expect(start(['connected', 'sell'])).toEqual(rows(1))
      expect(start([], 'n')).toBeUndefined()
      expect(start(['connected'])).toEqual(rows(1))
      expect(start([], 'y')).toEqual(rows())
      expect([start([]), start([])]).toEqual([rows(), rows()])
    })

    it('starts where an edition with foreign keys to sites has pushed', () => {
      expect(start(['connected', 'older', 'fill', 'sell'])).toEqual(rows(1))
      expect([start(['connected']), start(['connected'])]).toEqual([rows(1), rows(1)])
      expect(start([], 'y')).toEqual(rows())
      expect(start([])).toEqual(rows())
    })
  },
)
