import { sql } from 'drizzle-orm'
import type { PersonKeys } from '../marketing/person-keys.js'
import type { Connection } from '../store/payload/database.js'
import type { SendTable } from './send-table.js'

/**
 * Deletes all sends about a person, in whatever state. A call that is on its way is not taken back;
 * what becomes of it is written nowhere, and it is not tried again.
 */
export async function forgetPerson(
  { database, table, as, bare }: SendTable,
  { profiles, externalIds, phoneNumbers }: PersonKeys,
  connection: Connection = database,
): Promise<void> {
  const s = as('s')
  const said = (name: 'externalId' | 'phoneNumber') =>
    database.isSqlite
      ? sql`${s.message} ->> ${sql.raw(`'$.profile.${name}'`)}`
      : sql`${s.message} #>> ${sql.raw(`'{profile,${name}}'`)}`
  const isAbout = sql`(${database.isOneOf(s.profile, profiles)}
    or ${database.isOneOf(said('externalId'), externalIds)}
    or ${database.isOneOf(said('phoneNumber'), phoneNumbers)})`
  // In the order of their ids: two that delete the same ones wait for each other in one direction.
  const found = database.isSqlite ? sql`` : sql`order by ${s.id} for update`
  await connection.run(sql`delete from ${table}
    where ${bare.id} in (select ${s.id} from ${table} as "s" where ${isAbout} ${found})`)
}
