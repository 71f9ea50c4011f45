import { sql } from 'drizzle-orm'
import { makeWorkerUtils } from 'graphile-worker'
import { profileKey } from '../../src/core/people/profile-key.js'
import { numberOf } from './bench-database.js'
import type { OtherQueue } from './queues.js'

const jobsTable = sql`graphile_worker._private_jobs`
const queuesTable = sql`graphile_worker._private_job_queues`

export const graphileWorker: OtherQueue = {
  async open(connectionString) {
    const utils = await makeWorkerUtils({ connectionString })
    await utils.migrate()
    return {
      async store(sends) {
        const [first] = sends
        if (first === undefined) throw new Error('The post sends nothing.')
        // Jobs of one queue run in turn, so a queue for each person keeps the order of that person's posts.
        await utils.addJob('marketing', { sends }, { queueName: profileKey(first.message.profile) })
      },
    }
  },

  async check({ database }, posts) {
    const jobs = await numberOf(database, sql`select count(*) from ${jobsTable}`)
    const people = await numberOf(
      database,
      sql`select count(distinct job_queue_id) from ${jobsTable}`,
    )
    if (jobs !== posts || people !== posts) {
      throw new Error(`${posts} posts were accepted, ${jobs} of ${people} people are queued.`)
    }
    await database.run(sql`delete from ${jobsTable}`)
    await database.run(sql`delete from ${queuesTable}`)
  },
}
