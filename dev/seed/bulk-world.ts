import type { FlattenedField, Payload } from 'payload'
import type { BulkDatabase } from './bulk-database.ts'
import type { BulkWorld } from './bulk-order.ts'
import type { CurrencyCode } from './regions.ts'

const knownCurrencies: CurrencyCode[] = ['USD', 'EUR', 'JPY', 'KWD']
const mostCustomers = 1000

/** Reads what the store has: its dropdowns' values and the ids that orders may refer to. */
export async function readBulkWorld(payload: Payload, database: BulkDatabase): Promise<BulkWorld> {
  const fieldsOf = (slug: 'orders' | 'transactions') =>
    payload.collections[slug]?.config.flattenedFields ?? []
  const fields = fieldsOf('orders')
  const ids = async (name: string, rest = '') => {
    const table = database.table(name)
    if (!table) return []
    const rows = await database.rows(`select "id" from "${table.name}" ${rest}`)
    return rows.map(({ id }) => id as number | string)
  }
  const offered = valuesOf(fields, 'currency')
  const currencies = knownCurrencies.filter((code) => offered.includes(code))
  return {
    products: await idsBySku(database, 'products'),
    variants: await idsBySku(database, 'variants'),
    siteIds: await ids('sites'),
    customerIds: await ids('users', `limit ${mostCustomers}`),
    currencies: currencies.length > 0 ? currencies : ['USD'],
    statuses: valuesOf(fields, 'status'),
    warehouses: valuesOf(fields, 'warehouse'),
    paymentMethods: valuesOf(fieldsOf('transactions'), 'paymentMethod'),
  }
}

async function idsBySku(database: BulkDatabase, name: string) {
  const table = database.table(name)
  const sku = table?.columns.get('sku')
  if (!table || !sku) return new Map<string, number | string>()
  const rows = await database.rows(`select "id", "${sku}" as "sku" from "${table.name}"`)
  return new Map(rows.map((row) => [String(row.sku), row.id as number | string]))
}

function valuesOf(fields: FlattenedField[], name: string): string[] {
  const field = fields.find((each) => each.name === name)
  if (field?.type !== 'select') return []
  return field.options.map((option) => (typeof option === 'string' ? option : option.value))
}
