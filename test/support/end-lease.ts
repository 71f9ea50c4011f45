import { sql } from 'drizzle-orm'
import { leaseSlug } from '../../src/core/workers/lease.js'
import { bareName, column, type Database } from '../../src/core/database/database.js'

/** The lease is over, as if the process that has it had not renewed it in time. */
export async function endLease(database: Database): Promise<void> {
  const leases = database.table(leaseSlug)
  const until = bareName(column(leases, 'until'))
  await database.run(sql`update ${leases} set ${until} = ${new Date(0).toISOString()}`)
}
