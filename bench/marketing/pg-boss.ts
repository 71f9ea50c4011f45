import { sql } from 'drizzle-orm'
import PgBoss from 'pg-boss'
import type { Outbox } from '../../src/marketing/delivery/outbox.js'
import { numberOf, type BenchDatabase } from './bench-database.js'

const queue = 'marketing'

/** What a store would write with pg-boss: one `send` a post, answered once it is committed. */
export async function queueOf(connectionString: string): Promise<Pick<Outbox, 'store'>> {
  // Nothing works on the queue, and nothing tends it: only sending is measured.
  const boss = new PgBoss({ connectionString, supervise: false, schedule: false })
  await boss.start()
  await boss.createQueue(queue)
  return {
    async store(sends) {
      await boss.send(queue, { sends })
    },
  }
}

/**
 * Each post is a job; makes room for the next round.
 *
 * @throws when one is missing or doubled.
 */
export async function checkQueued({ database }: BenchDatabase, posts: number): Promise<void> {
  const jobs = await numberOf(database, sql`select count(*) from pgboss.job where name = ${queue}`)
  if (jobs !== posts) throw new Error(`${posts} posts were accepted, ${jobs} are queued.`)
  await database.run(sql`delete from pgboss.job`)
}
