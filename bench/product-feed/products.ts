import { sql } from 'drizzle-orm'
import { column } from '../../src/core/database/database.js'
import { createProduct } from '../../test/support/products.js'
import { copiedRows, numbersUpTo } from '../../test/support/copied-rows.js'
import type { BenchDatabase } from '../marketing/bench-database.js'

/** Products that the feed shows: copies of one, made within the database. */
export async function fillWithProducts(
  { payload, database }: BenchDatabase,
  count: number,
): Promise<void> {
  const image = 'https://cdn.example/pictures/green-tea-from-the-south-of-the-island.jpg'
  const first = await createProduct(payload, { image, inventory: 12 })
  const products = database.table('products')
  const named = (before: string) => sql`${before} || cast("n"."i" as text)`
  const changes = {
    title: named('Green tea of the early harvest, number '),
    sku: named('TEA-'),
    image: named(`${image}?of=`),
  }
  await database.run(
    sql`insert into ${products} ${copiedRows(products, changes, sql`${numbersUpTo(count - 1)} select`)}
      from ${products} cross join "n" where ${column(products, 'id')} = ${first}`,
  )
}
