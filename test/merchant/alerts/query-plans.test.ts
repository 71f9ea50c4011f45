import type { Client, InStatement } from '@libsql/client'
import { expect, it, onTestFinished } from 'vitest'
import { beforeStatements } from '../../support/before-statements.js'
import { openAlertWorld } from './alert-world.js'

// What a store has many of. Without statistics, which no store has from the start, SQLite chooses alike
// whether they are empty or not.
const growing = /"(orders|transactions|shipping_notices|shipping_skipped_orders|marketing_sends)"/
/** A scan of the table, or a search by what most rows share. */
const costly = /^SCAN (orders|transactions|shipping_\w+|s)\b|deleted_at_idx/

it('A round reads what grows with the shop by indexes that leave most of it out', async () => {
  const world = await openAlertWorld('sqlite', {
    options: {
      marketing: { settings: { privateApiKey: 'pk_test' } },
      shipping: { settings: { trackingUpdates: true } },
    },
  })
  onTestFinished(() => world.close())
  const { payload } = world
  const seen: { sql: string }[] = []
  const end = beforeStatements(payload, (statement) => {
    const { sql = '' } = statement as { sql?: string }
    if (growing.test(sql)) seen.push({ ...(statement as object), sql })
  })
  await world.pass(2)
  end()
  expect(seen.map(({ sql }) => growing.exec(sql)?.[1])).toEqual(
    expect.arrayContaining(['orders', 'shipping_skipped_orders', 'marketing_sends']),
  )

  const { client } = payload.db as unknown as { client: Client }
  for (const statement of seen) {
    const asked = { ...statement, sql: `explain query plan ${statement.sql}` } as InStatement
    const { rows } = await client.execute(asked)
    const plan = rows.map(({ detail }) => String(detail))
    expect(
      plan.filter((step) => costly.test(step)),
      statement.sql,
    ).toEqual([])
  }
})
