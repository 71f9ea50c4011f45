import { sql } from 'drizzle-orm'
import { column } from '../../src/core/database/database.js'
import { copiedRows, numbersUpTo } from '../../test/support/copied-rows.js'
import { createVariants } from '../../test/support/products.js'
import type { BenchDatabase } from '../marketing/bench-database.js'

const prices = [1250, 2250, 3950, 7200, 13900]

export const variantsOfProduct = prices.length

/** Products with five variants each: copies of one, made within the database. */
export async function fillWithVariants(
  { payload, database }: BenchDatabase,
  products: number,
): Promise<void> {
  const image = 'https://cdn.example/pictures/green-tea-from-the-south-of-the-island.jpg'
  const { product: first } = await createVariants(payload, prices, {
    inventory: 12,
    product: { image },
  })
  const productTable = database.table('products')
  const variantTable = database.table('variants')
  const named = (before: string) => sql`${before} || cast("n"."i" as text)`
  const changes = {
    title: named('Green tea of the early harvest, number '),
    sku: named('TEA-'),
    image: named(`${image}?of=`),
  }
  const id = column(productTable, 'id')
  await database.run(
    sql`insert into ${productTable} ${copiedRows(productTable, changes, sql`${numbersUpTo(products - 1)} select`)}
      from ${productTable} cross join "n" where ${id} = ${first}`,
  )
  const ofProduct = column(variantTable, 'product')
  const copies = copiedRows(variantTable, { product: sql`${id}` }, sql`select`)
  await database.run(
    sql`insert into ${variantTable} ${copies} from ${variantTable} cross join ${productTable}
      where ${ofProduct} = ${first} and ${id} <> ${first}`,
  )
}
