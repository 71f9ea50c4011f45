import { expect, it } from 'vitest'
import { mendedAddition } from '../../../src/installer/mended-addition.js'

const before = { tables: { settings: { columns: { id: {}, prefix: {} } } } }

const copy = (table: string, into: string, from = into) =>
  `  await db.run(sql\`INSERT INTO \\\`__new_${table}\\\`(${into}) SELECT ${from} FROM \\\`${table}\\\`;\`)`

it('a new column is not copied from the table that does not have it', () => {
  const made = copy('settings', '"id", "prefix", "catalog", "built_in_events_sent"')
  expect(mendedAddition(made, before)).toBe(copy('settings', '"id", "prefix"'))
})

it.each([
  ['a table that nothing is known of', copy('orders', '"id", "catalog"'), before],
  ['a copy of another form', copy('settings', '"id", "catalog"', 'max("id"), "catalog"'), before],
  ['a schema of another form', copy('settings', '"id", "catalog"'), { tables: [] }],
])('%s stays as Payload wrote it', (_what, made, schema) => {
  expect(mendedAddition(made, schema)).toBe(made)
})
