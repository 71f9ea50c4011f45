import type { OptionsOf } from '../../core/options-schema.js'
import type { Shop } from '../../core/shop.js'
import type { erasureOptions } from './erasure-options.js'
import { createErasures, type Needed, type Erasures } from './erasures.js'
import { defineParts, type Contributions } from '../../core/feature.js'
import { sql } from 'drizzle-orm'
import type { Outbox } from '../../marketing/delivery/outbox.js'
import type { SendState } from '../../marketing/delivery/send.js'
import { createRest, type Worker } from '../../core/workers/worker.js'
import { erasureTable, deletionKeys, type Erasure, type PersonTraces } from './erasure-table.js'

interface Options {
  erasure: OptionsOf<typeof erasureOptions>
}

export type ErasureParts = ReturnType<typeof build>

function build(shop: Shop<Options>, parts: Needed, { forgetPerson }: Contributions) {
  const { delivery, outbox } = parts
  const erasures = createErasures(shop, { ...parts, forgetPerson }, () => {
    erasureWorker.wake()
    delivery.wake()
  })
  const erasureWorker = createErasureWorker(shop, { erasures, outbox })
  return { erasures, erasureWorker }
}

export const erasureParts = defineParts({
  build,
  workers: (_shop: Shop, { erasureWorker }: ErasureParts) => [erasureWorker],
})

/** Longer than the deletion of an account takes. */
const abandonedMs = 60_000

/** A process may store sends that it has made from what it read before the erasure. */
const lateSendsMs = 45_000

/** An objection from before may carry a later moment: the clock of the machine that took it may be ahead. */
const objectionAheadMs = 60 * 60_000

const pollEveryMs = 2_000
const idlePollEveryMs = 15_000

/** Finishes erasures: those whose process has ended, sends that were stored late, and what Klaviyo has to do. */
function createErasureWorker(
  shop: Shop,
  { erasures, outbox }: { erasures: Erasures; outbox: Outbox | undefined },
): Worker & { wake(): void } {
  const { database, effects, log } = shop
  const records = erasureTable(shop)
  const rest = createRest(shop)
  /** Since when this process knows the erasures, each in its state. */
  let knownSince = new Map<string, number>()

  /** At least for as long as this process knows it: the clock that noted its beginning may have been ahead. */
  const ageOf = (erasure: Erasure): number =>
    Math.max(
      effects.now().getTime() - erasure.createdAt.getTime(),
      rest.now() - (knownSince.get(nameOf(erasure)) ?? Infinity),
    )

  async function goOn(erasure: Erasure, person: PersonTraces): Promise<void> {
    const { key, state, createdAt } = erasure
    if (state === 'asked' && ageOf(erasure) >= abandonedMs) {
      // An account that is still there was not deleted after all.
      if (!(await erasures.resume({ ...erasure, person }))) await records.delete(key)
    } else if (state === 'erased' && ageOf(erasure) >= lateSendsMs) {
      await outbox?.forget(database, person, createdAt)
      await noteKlaviyo(erasure, person)
    } else if (state === 'waiting') await noteKlaviyo(erasure, person)
  }

  async function noteKlaviyo(erasure: Erasure, person: PersonTraces): Promise<void> {
    const { key, state, createdAt } = erasure
    // Whoever has left Klaviyo out since then cannot ask it any more.
    if (outbox === undefined) {
      return end(key, erasure.klaviyo === 'waiting' ? { klaviyo: 'failed' } : {})
    }
    const { delivered, left } = await outbox.endDelivered(deletionKeys(erasure))
    const until = new Date(createdAt.getTime() + objectionAheadMs)
    const objects = await outbox.endObjections(person, until)
    const klaviyo = klaviyoOf(erasure, { delivered, left })
    if (left.length === 0 && !objects) await end(key, { klaviyo })
    else if (state !== 'waiting' || klaviyo !== erasure.klaviyo)
      await change(key, { state: 'waiting', klaviyo })
  }

  const change = async (key: string, values: Record<string, unknown>) => {
    await records.changing(database, key, values)
  }

  const end = (key: string, values: Record<string, unknown> = {}) =>
    change(key, { ...values, state: 'done', person: null, endedAt: effects.now().toISOString() })

  async function run(): Promise<void> {
    rest.for(pollEveryMs)
    const open = await records.read(sql`${records.at('state')} <> 'done'`)
    const readAt = rest.now()
    knownSince = new Map(open.map(nameOf).map((name) => [name, knownSince.get(name) ?? readAt]))
    for (const erasure of open) {
      if (erasure.person === null) continue
      await goOn(erasure, erasure.person).catch((error: unknown) => {
        // The next poll tries again; the store's own code must not hold up other erasures.
        log.error({ err: error, erasure: erasure.key }, 'An erasure could not go on')
      })
    }
    if (open.length === 0) rest.for(idlePollEveryMs)
  }

  return {
    name: 'erasures',
    wake: () => rest.for(0),
    next: () => rest.next(run),
  }
}

const nameOf = ({ key, state }: Erasure): string => `${key} ${state}`

/** What Klaviyo does about an erasure, by how many of its deletions have reached it and the states of the others. */
function klaviyoOf(
  { jobs, klaviyo }: Erasure,
  { delivered, left }: { delivered: number; left: readonly SendState[] },
): Erasure['klaviyo'] {
  if (left.includes('failed')) return 'failed'
  if (left.length > 0) return 'waiting'
  // A merchant has dismissed the failed deletion, or nobody has sent it again for months.
  const isGivenUp = delivered === 0 && klaviyo === 'failed'
  return jobs === 0 || isGivenUp ? klaviyo : 'accepted'
}
