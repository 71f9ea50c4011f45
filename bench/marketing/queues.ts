import type { Outbox } from '../../src/marketing/delivery/outbox.js'
import type { BenchDatabase } from './bench-database.js'
import { graphileWorker } from './graphile-worker.js'
import { pgBoss } from './pg-boss.js'

/** A queue on PostgreSQL that many stores use, behind the same front door. */
export interface OtherQueue {
  /** What a store would write with it: one job a post, answered once it is committed. */
  open(connectionString: string): Promise<Pick<Outbox, 'store'>>
  /**
   * Each post is a job; makes room for the next round.
   *
   * @throws when one is missing or doubled.
   */
  check(database: BenchDatabase, posts: number): Promise<void>
}

export type QueueName = 'pg-boss' | 'graphile-worker'

export const queues: Readonly<Record<QueueName, OtherQueue>> = {
  'pg-boss': pgBoss,
  'graphile-worker': graphileWorker,
}
