import { sql, type SQL } from 'drizzle-orm'
import { expect, it, onTestFinished } from 'vitest'
import { column, sqlDatabase } from '../../../src/core/database/database.js'
import type { PersonQuery } from '../../../src/merchant/people/person.js'
import { beforeStatements } from '../../support/before-statements.js'
import { copiedRows, numbersUpTo } from '../../support/copied-rows.js'
import { anOrder, saveOrder } from '../../support/orders.js'
import { openSimulatedStore } from '../../support/simulated-store.js'
import { hasPostgres } from '../../support/store.js'

/** A step of a plan as PostgreSQL explains it. */
interface Step {
  'Relation Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  'Rows Removed by Index Recheck'?: number
  Plans?: Step[]
}

interface Statement {
  text: string
  values: unknown[]
}

interface Adapter {
  pool: {
    query(text: string, values?: unknown[]): Promise<{ rows: Record<string, [{ Plan: Step }]>[] }>
  }
}

const stepsIn = (step: Step): Step[] => [step, ...(step.Plans ?? []).flatMap(stepsIn)]

/** How many rows of its table a step reads. */
const rowsRead = (step: Step): number =>
  step['Actual Loops'] *
  (step['Actual Rows'] +
    (step['Rows Removed by Filter'] ?? 0) +
    (step['Rows Removed by Index Recheck'] ?? 0))

const many = 5_000
const email = 'ada@example.com'

// PostgreSQL plans by what there is: the tables have many rows, and it has counted them.
it.runIf(hasPostgres)('The page of a person reads few rows of tables that have many', async () => {
  const shop = await openSimulatedStore('postgres')
  onTestFinished(() => shop.close())
  const { payload, parts } = shop
  const database = sqlDatabase(payload)
  const create = async (collection: string, data: Record<string, unknown>) =>
    (await payload.create({ collection, data, depth: 0 })).id
  const other = (before: string) => sql`${before} || cast("n"."i" as text)`
  const mails = sql`${other('person')} || '@example.com'`
  /** Copies a row, so that there are as many of other people. */
  const multiply = async (slug: string, id: unknown, changes: Record<string, SQL>) => {
    const table = database.table(slug)
    const rows = copiedRows(table, changes, sql`${numbersUpTo(many)} select`)
    await database.run(sql`insert into ${table} ${rows} from ${table} cross join "n"
      where ${column(table, 'id')} = ${id}`)
    await database.run(sql`analyze ${table}`)
  }

  const consent = { email: { given: true, wording: 'Yes', version: '1', at: new Date() } }
  const deleted = await saveOrder(payload, anOrder({ consent }))
  await payload.delete({ collection: 'orders', id: deleted.id })
  await multiply('marketing-consent-proofs', deleted.number, { id: other('kept'), email: mails })
  const customer = await create('users', { email, password: 'a-password', phone: '+442079460000' })
  await multiply('users', customer, { email: mails, phone: other('+4420') })
  const order = await create('orders', anOrder())
  await create('orders', anOrder({ customer, customerEmail: null }))
  await multiply('orders', order, {
    ...{ number: other('n'), reference: other('r'), customerEmail: mails },
  })
  const cart = await create('carts', { items: [], currency: 'USD' })
  await create('carts', { items: [], currency: 'USD', customer })
  await multiply('carts', cart, { number: other('n') })
  const payment = { cart, amount: 1, currency: 'USD', paymentMethod: 'demo', customerEmail: email }
  await multiply('transactions', await create('transactions', payment), { customerEmail: mails })
  await shop.store({ kind: 'identify', profile: { email } })
  const [send] = (await payload.find({ collection: 'marketing-sends' })).docs
  await multiply('marketing-sends', send?.id, {
    key: other('k'),
    profile: sql`'email:' || ${mails}`,
  })

  const { pool } = payload.db as unknown as Adapter
  const reader = { translate: (key: string) => key, statusName: (status: string) => status }
  const queries: [by: PersonQuery['by'], value: unknown][] = [
    ['text', email],
    ['text', '+44 20 7946 0000'],
    ['text', 'person7@example.com'],
    ['text', 'nobody@example.com'],
    ['customer', customer],
    ['order', order],
    ['send', send?.id],
  ]
  for (const [by, value] of queries) {
    const statements: Statement[] = []
    const end = beforeStatements(payload, (statement, values = []) => {
      const { text } = statement as { text: string }
      if (text.startsWith('select')) statements.push({ text, values: values as unknown[] })
    })
    await parts.people.read({ by, value: String(value) }, reader)
    end()
    expect(statements.length).toBeGreaterThan(3)
    for (const { text, values } of statements) {
      const { rows } = await pool.query(`explain (analyze, format json) ${text}`, values)
      const steps = Object.values(rows[0] ?? {}).flatMap(([{ Plan }]) => stepsIn(Plan))
      const read = steps.filter((step) => step['Relation Name'] !== undefined).map(rowsRead)
      expect(Math.max(0, ...read), `${by} ${String(value)}: ${text}`).toBeLessThan(100)
    }
  }
})
