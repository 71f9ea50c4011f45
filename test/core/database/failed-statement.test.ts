import { inspect } from 'node:util'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sqlDatabase } from '../../../src/core/database/database.js'
import { databaseKinds, openStore, type TestStore } from '../../support/store.js'

describe.each(databaseKinds)('a statement that fails (%s)', (kind) => {
  let store: TestStore
  beforeAll(async () => {
    store = await openStore(kind)
  })
  afterAll(() => store.close())

  it('says which statement and why, but none of its values', async () => {
    const failure: unknown = await sqlDatabase(store.payload)
      .rows(sql`select * from gone where email = ${'ada@example.com'}`)
      .catch((error: unknown) => error)
    const logged = inspect(failure, { depth: 10 })
    expect(logged).toContain('select * from gone')
    expect(logged).toMatch(/no such table|does not exist/)
    expect(logged).not.toContain('ada@example.com')
  })
})
