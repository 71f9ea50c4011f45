import { sql } from 'drizzle-orm'
import type { Database } from '../database/database.js'
import type { Log } from '../database/log.js'
import type { Outbox } from '../delivery/outbox.js'
import type { Worker } from '../delivery/worker.js'
import { erasureTable, jobKeys, type Erasure, type PersonTraces } from './erasure-table.js'
import type { Erasures } from './erasures.js'

interface ErasureWorkerParts {
  database: Database
  erasures: Pick<Erasures, 'resume'>
  outbox: Pick<Outbox, 'forget' | 'endDelivered'>
  log: Log
  now: () => Date
}

/** Longer than the deletion of an account takes. */
const abandonedMs = 60_000

/** A process may store sends that it has made from what it read before the erasure. */
const lateSendsMs = 45_000

const pollEveryMs = 2_000
const idlePollEveryMs = 15_000

/**
 * Finishes erasures: it resumes those whose process has ended, deletes sends that were stored late, and
 * notes when Klaviyo has taken the job. The record then names the person no more.
 */
export function createErasureWorker({
  database,
  erasures,
  outbox,
  log,
  now,
}: ErasureWorkerParts): Worker & { wake(): void } {
  const records = erasureTable(database)
  let restUntil = 0

  const ageOf = ({ createdAt }: Erasure) => now().getTime() - createdAt.getTime()

  async function goOn(erasure: Erasure, person: PersonTraces): Promise<void> {
    const { key, state, createdAt, jobs } = erasure
    if (state === 'asked' && ageOf(erasure) >= abandonedMs) {
      // An account that is still there was not deleted after all.
      if (!(await erasures.resume({ ...erasure, person }))) await records.delete(key)
    } else if (state === 'erased' && ageOf(erasure) >= lateSendsMs) {
      await outbox.forget(database, person, createdAt)
      await (jobs > 0 ? change(key, { state: 'waiting' }) : end(key))
    } else if (state === 'waiting') await noteKlaviyo(erasure)
  }

  async function noteKlaviyo(erasure: Erasure): Promise<void> {
    const { key, klaviyo } = erasure
    const { delivered, left } = await outbox.endDelivered(jobKeys(erasure))
    if (left.length === 0) {
      // A merchant has dismissed the failed job, or nobody has sent it again for months.
      const isGivenUp = delivered === 0 && klaviyo === 'failed'
      return end(key, isGivenUp ? {} : { klaviyo: 'accepted' })
    }
    const isFailed = left.includes('failed')
    const current = isFailed ? 'failed' : 'waiting'
    if (current !== klaviyo) await change(key, { klaviyo: current })
  }

  const change = async (key: string, values: Record<string, unknown>) => {
    await records.changing(database, key, values)
  }

  const end = (key: string, values: Record<string, unknown> = {}) =>
    change(key, { ...values, state: 'done', person: null, endedAt: now().toISOString() })

  async function run(): Promise<void> {
    restUntil = now().getTime() + pollEveryMs
    const open = await records.read(sql`${records.at('state')} <> 'done'`)
    for (const erasure of open) {
      if (erasure.person === null) continue
      await goOn(erasure, erasure.person).catch((error: unknown) => {
        // The next poll tries again; the store's own code must not hold up other erasures.
        log.error({ err: error, erasure: erasure.key }, 'An erasure could not go on')
      })
    }
    if (open.length === 0) restUntil = now().getTime() + idlePollEveryMs
  }

  return {
    name: 'erasures',
    wake(): void {
      restUntil = 0
    },
    next: () => {
      const isResting = now().getTime() < restUntil
      return Promise.resolve(isResting ? { nextAt: new Date(restUntil) } : { run })
    },
  }
}
