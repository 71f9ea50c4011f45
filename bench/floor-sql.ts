import type { Pool } from 'pg'
import type { BenchStore } from './stores.js'

export interface FloorItem {
  sku: string
  name: string
  quantity: number
  unitPrice: number
  weight: number
  imageUrl: string
  options: { name: string; value: string }[]
}

export type FloorRow = Record<string, unknown> & { items: FloorItem[] }

const columns = `o.id, o.reference, o.status, o.amount, o.tax_amount, o.shipping_amount, o.currency,
  o.updated_at, o.created_at, o.shipping_method, o.customer_id, o.customer_email, o.internal_notes,
  o.customer_notes, o.gift, o.gift_message,
  ${['shipping', 'billing']
    .flatMap((of) =>
      'first_name last_name company address_line1 address_line2 city state postal_code country phone'
        .split(' ')
        .map((name) => `o.${of}_address_${name}`),
    )
    .join(', ')},
  (select t.payment_method from orders_rels r join transactions t on t.id = r.transactions_id
    where r.parent_id = o.id and r.path = 'transactions' limit 1) as payment_method`

const sqliteStatement = `select ${columns},
  (select json_group_array(json_object('sku', i.sku, 'name', i.name, 'quantity', i.quantity,
    'unitPrice', i.unit_price, 'weight', i.weight, 'imageUrl', i.image_url, 'options',
    (select json_group_array(json_object('name', p.name, 'value', p.value))
      from orders_items_options p where p._parent_id = i.id)))
    from orders_items i where i._parent_id = o.id) as items
  from orders o order by o.updated_at, o.id limit ? offset ?`

const postgresStatement = `select ${columns},
  (select json_agg(json_build_object('sku', i.sku, 'name', i.name, 'quantity', i.quantity,
    'unitPrice', i.unit_price, 'weight', i.weight, 'imageUrl', i.image_url, 'options',
    (select coalesce(json_agg(json_build_object('name', p.name, 'value', p.value)), '[]')
      from orders_items_options p where p._parent_id = i.id)))
    from orders_items i where i._parent_id = o.id) as items
  from orders o order by o.updated_at, o.id limit $1 offset $2`

/** One hand-written statement for a whole page, on the store's own connection. */
export async function floorRows(
  store: BenchStore,
  offset: number,
  limit: number,
): Promise<FloorRow[]> {
  const db = store.payload.db as unknown as {
    pool: Pool
    client: { execute(query: { sql: string; args: unknown[] }): Promise<{ rows: FloorRow[] }> }
  }
  if (store.kind === 'postgres') {
    return (await db.pool.query<FloorRow>(postgresStatement, [limit, offset])).rows
  }
  const { rows } = await db.client.execute({ sql: sqliteStatement, args: [limit, offset] })
  return rows.map((row) => ({ ...row, items: JSON.parse(String(row.items)) as FloorItem[] }))
}
