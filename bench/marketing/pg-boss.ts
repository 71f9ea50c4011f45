import { sql } from 'drizzle-orm'
import PgBoss from 'pg-boss'
import { numberOf } from './bench-database.js'
import type { OtherQueue } from './queues.js'

const queue = 'marketing'

export const pgBoss: OtherQueue = {
  async open(connectionString) {
    // Nothing works on the queue, and nothing tends it: only sending is measured.
    const boss = new PgBoss({ connectionString, supervise: false, schedule: false })
    await boss.start()
    await boss.createQueue(queue)
    return {
      async store(sends) {
        await boss.send(queue, { sends })
      },
    }
  },

  async check({ database }, posts) {
    const jobs = await numberOf(
      database,
      sql`select count(*) from pgboss.job where name = ${queue}`,
    )
    if (jobs !== posts) throw new Error(`${posts} posts were accepted, ${jobs} are queued.`)
    await database.run(sql`delete from pgboss.job`)
  },
}
