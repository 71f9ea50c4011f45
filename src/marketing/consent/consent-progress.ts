import * as z from 'zod/mini'
import { readStored, storedMoment, type KeyValueStore } from '../../core/database/stored-value.js'
import type { ChangedConsents } from '../klaviyo/find-consents.js'

const minute = 60_000
const day = 24 * 60 * minute

/** How far back each walk begins again, because Klaviyo may list a change late and clocks differ. */
const overlapMs = 20 * minute

const walkSchema = z.object({
  /** All changes before this moment are followed. */
  reached: storedMoment,
  /** The next page of a walk that is under way. */
  open: z.optional(z.object({ from: storedMoment, page: z.string(), begunAt: storedMoment })),
})

const progressSchema = z.object({
  /** The mark of the key: another account has other people. */
  key: z.string(),
  polledAt: storedMoment,
  suppressed: walkSchema,
  updated: walkSchema,
  /** The daily check of all customers: when it began, and the last customer that was read. */
  customers: z.object({
    begunAt: storedMoment,
    behind: z.optional(z.union([z.string(), z.number()])),
  }),
  /** Klaviyo's ids of the profiles for which the hook failed. */
  pending: z.array(z.string()),
})

/** It is stored, so that any process can go on from there. */
export type ConsentProgress = z.output<typeof progressSchema>

type Walk = z.output<typeof walkSchema>

const place = 'storeconnect:consents'

/** The first walk finds everybody who has left, but only updates of the last day. */
const firstProgress = (key: string, now: Date): ConsentProgress => ({
  key,
  polledAt: new Date(0),
  suppressed: { reached: new Date(0) },
  updated: { reached: new Date(now.getTime() - day) },
  customers: { begunAt: now },
  pending: [],
})

export async function readProgress(
  store: KeyValueStore,
  { key, now }: { key: string; now: Date },
): Promise<ConsentProgress> {
  const stored = await readStored(store, place, progressSchema)
  return stored?.key === key ? stored : firstProgress(key, now)
}

export const keepProgress = ({ kv }: KeyValueStore, progress: ConsentProgress): Promise<void> =>
  kv.set(place, JSON.parse(JSON.stringify(progress)) as Record<string, unknown>)

/** Where a walk begins or goes on. The clock of the process that stored `reached` may have been ahead. */
export function walkFrom({ reached, open }: Walk, now: Date): { from: Date; page?: string } {
  if (open !== undefined) return { from: open.from, page: open.page }
  const at = Math.min(reached.getTime(), now.getTime()) - overlapMs
  return { from: new Date(Math.max(0, at)) }
}

/** With the last page a walk has reached the moment at which it began. */
export function afterPage(
  { reached, open }: Walk,
  page: Pick<ChangedConsents, 'nextPage' | 'readUntil'> & { from: Date; begunAt: Date },
): Walk {
  const { nextPage, readUntil, from } = page
  const begunAt = open?.begunAt ?? page.begunAt
  return nextPage === undefined
    ? { reached: begunAt }
    : { reached: readUntil ?? reached, open: { from, page: nextPage, begunAt } }
}

/** The check goes on after the last customer, and begins anew when a day has passed. */
export const dailyCheck = (
  { customers }: ConsentProgress,
  now: Date,
): ConsentProgress['customers'] =>
  Math.abs(now.getTime() - customers.begunAt.getTime()) < day ? customers : { begunAt: now }
