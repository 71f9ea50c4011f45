import type { Column } from 'drizzle-orm'
import type { Field } from 'payload'
import { expect, it } from 'vitest'
import type { PayloadTable } from '../../../../src/core/database/database.js'
import { emptied } from '../../../../src/merchant/erasure/written-columns.js'

const address: Field = {
  name: 'address',
  type: 'group',
  fields: [
    { name: 'street', type: 'text' },
    { name: 'country', type: 'text' },
    { name: 'floor', type: 'number' },
    { name: 'born', type: 'date' },
    { name: 'title', type: 'select', options: ['Dr'] },
  ],
}
const fields: Field[] = [address, { name: 'address2', type: 'text' }]
const table = (names: string[], notNull: boolean) =>
  Object.fromEntries(names.map((name) => [name, { notNull } as Column])) as unknown as PayloadTable
const names = ['address_street', 'address_country', 'address_floor', 'address_born', 'address2']

it('empties what a person has written within a group, and no country', () => {
  const values = emptied(table(names, false), fields, { paths: ['address'], prefix: '' })
  expect(values).toEqual({ address_street: null, address_floor: null, address_born: null })
})

it('gives a column that must have a value one that names nobody, in versions too', () => {
  const required = table(
    names.map((name) => `version_${name}`),
    true,
  )
  expect(emptied(required, fields, { paths: ['address'], prefix: 'version_' })).toEqual({
    version_address_street: '',
    version_address_floor: 0,
    version_address_born: '1970-01-01T00:00:00.000Z',
  })
})
