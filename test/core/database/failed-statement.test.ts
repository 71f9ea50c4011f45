import { inspect } from 'node:util'
import { sql } from 'drizzle-orm'
import { expect, it, onTestFinished } from 'vitest'
import { sqlDatabase } from '../../../src/core/database/database.js'
import { safeLog } from '../../../src/core/database/log.js'
import { captureLog } from '../../support/captured-log.js'
import { databaseKinds, openStore } from '../../support/store.js'
import type { DatabaseKind } from '../../support/store-config.js'

const email = 'zofia@shop.example'

/** A store whose statements about emails fail. */
async function openWithoutEmails(kind: DatabaseKind) {
  const log = captureLog()
  const store = await openStore(kind, { config: log.config })
  onTestFinished(() => store.close())
  const database = sqlDatabase(store.payload)
  await database.run(sql`alter table users rename column email to gone`)
  return { store, database, log }
}

it.each(databaseKinds)(
  "Payload's failed statement quotes no value in the log (%s)",
  async (kind) => {
    const { store, log } = await openWithoutEmails(kind)
    const login = { email, password: 'green tea' }
    const browser = store.aBrowser()
    expect((await browser.post('/actions/users/login', login)).status).toBe(500)
    const failed = log.lines().find(({ msg }) => msg === 'Request failed')
    expect(JSON.stringify(failed?.err)).toMatch(/Failed query.*users.*email/)
    expect(log.text()).not.toContain(login.email)
  },
)

it.each(databaseKinds)(
  'A failed write quotes no value in the log, behind another error either (%s)',
  async (kind) => {
    const { store, database, log } = await openWithoutEmails(kind)
    const write = async () => database.update(database.table('users'), { email }, sql`id = 'none'`)
    const failed = await write().catch((error: unknown) => error)
    expect(String(failed)).toContain(email)
    const shopLog = safeLog(store.payload.logger)
    shopLog.error({ err: failed }, 'It failed')
    shopLog.error({ err: new Error('Behind', { cause: failed }) }, 'It failed')
    expect(log.text()).toContain('Failed query')
    expect(log.text()).not.toContain(email)
  },
)

it.each(databaseKinds)(
  'A statement of ours that fails says which one and why, but none of its values (%s)',
  async (kind) => {
    const { database } = await openWithoutEmails(kind)
    const failure: unknown = await database
      .rows(sql`select * from gone where email = ${'ada@example.com'}`)
      .catch((error: unknown) => error)
    const logged = inspect(failure, { depth: 10 })
    expect(logged).toContain('select * from gone')
    expect(logged).toMatch(/no such table|does not exist/)
    expect(logged).not.toContain('ada@example.com')
  },
)
