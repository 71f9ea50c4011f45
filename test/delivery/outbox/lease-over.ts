import { sql } from 'drizzle-orm'
import { leaseSlug } from '../../../src/delivery/lease-collection.js'
import { bareName, column, type Database } from '../../../src/store/payload/database.js'

/** As when its process has not renewed the lease for seconds. */
export async function letLeaseEnd(database: Database): Promise<void> {
  const leases = database.table(leaseSlug)
  const past = '2000-01-01T00:00:00.000Z'
  await database.run(sql`update ${leases} set ${bareName(column(leases, 'until'))} = ${past}`)
}
