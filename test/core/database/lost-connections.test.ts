import { execFileSync } from 'node:child_process'
import type { Pool } from 'pg'
import { expect, it, onTestFinished } from 'vitest'
import { hasPostgres, isPooled, openStore } from '../../support/store.js'

const title = 'goes on when its database has ended every connection, and gives each place back'

it.runIf(hasPostgres && !isPooled)(title, async () => {
  const store = await openStore('postgres')
  onTestFinished(() => store.close())
  const { db } = store.payload
  const { pool } = db as unknown as { pool: Pool }
  const count = () => store.payload.count({ collection: 'orders' })
  await Promise.all([count(), count(), count(), count()])
  const open = await db.beginTransaction()
  expect(pool.idleCount).toBeGreaterThan(1)

  endConnections(store.url)
  // Nothing has been read since: these begin on connections that are gone.
  const begun = await Promise.allSettled([db.beginTransaction(), db.beginTransaction()])
  expect(begun.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  await db.rollbackTransaction(open ?? '')

  await expect.poll(count).toEqual({ totalDocs: 0 })
  await expect.poll(() => pool.totalCount - pool.idleCount).toBe(0)
})

/** While this process waits, so that it learns of it only afterwards. */
function endConnections(url: string): void {
  const script = `
    const { Client } = require('pg')
    const client = new Client(process.argv[1])
    client.connect()
      .then(() => client.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()'))
      .then(() => client.end())`
  execFileSync(process.execPath, ['-e', script, url], { stdio: ['ignore', 'ignore', 'inherit'] })
}
