import {
  laneOf,
  lostWorkersLimit,
  waitAfterLossMs,
  type Claim,
  type Isolation,
  type Lane,
  type NewSend,
  type Outbox,
  type Send,
  type SendGroup,
  type SendState,
  type Settlement,
} from '../../../src/delivery/outbox.js'
import type { PlatformError } from '../../../src/marketing/platform.js'
import { profileKey } from '../../../src/marketing/profile.js'

export interface IndexedSend extends Send {
  state: SendState
  lane: Lane
  profile: string
  list: string | undefined
  key: string
  after: string | undefined
  dueAt: number
  isolation: Isolation
  isAlone: boolean
  crashes: number
  token: string | undefined
  leaseUntil: number
  knownUntil: number
  job: string | undefined
  error: PlatformError | undefined
}

/**
 * An outbox in memory for many thousands of sends: unfinished ones are found by lane and by profile.
 * `test/support/memory-outbox.ts` is the plain one, and looks at every send for each.
 */
export class IndexedOutbox implements Outbox {
  readonly rows: IndexedSend[] = []
  readonly #lanes = new Map<Lane, Set<IndexedSend>>()
  readonly #profiles = new Map<string, IndexedSend[]>()
  readonly #keys = new Map<string, IndexedSend>()
  readonly #jobs = new Map<string, IndexedSend[]>()
  #claims = 0

  store(sends: readonly NewSend[]): Promise<void> {
    for (const { message, key, after, acceptedAt } of sends) {
      if (this.#keys.has(key)) continue
      const before = after === undefined ? undefined : this.#keys.get(after)
      const row: IndexedSend = {
        id: this.rows.length + 1,
        message,
        acceptedAt,
        attempts: 0,
        state: 'queued',
        lane: laneOf[message.kind],
        profile: profileKey(message.profile),
        list: 'list' in message ? message.list : undefined,
        key,
        after: before && isUnfinished(before) ? after : undefined,
        dueAt: acceptedAt.getTime(),
        isolation: 0,
        isAlone: false,
        crashes: 0,
        token: undefined,
        leaseUntil: 0,
        knownUntil: 0,
        job: undefined,
        error: undefined,
      }
      this.rows.push(row)
      this.#keys.set(key, row)
      this.#laneRows(row.lane).add(row)
      this.#profileRows(row.profile).push(row)
    }
    return Promise.resolve()
  }

  waiting(lane: Lane, { now, countUpTo }: { now: Date; countUpTo: number }) {
    const at = now.getTime()
    let first: IndexedSend | undefined
    const counts = new Map<string, number>()
    for (const row of this.#laneRows(lane)) {
      if (!this.#mayLeave(row, at)) continue
      if (first === undefined || row.dueAt < first.dueAt) first = row
      const group = groupText(row, at)
      counts.set(group, (counts.get(group) ?? 0) + 1)
    }
    if (first === undefined) return Promise.resolve(undefined)
    return Promise.resolve({
      group: groupOf(first, at),
      count: Math.min(countUpTo, counts.get(groupText(first, at)) ?? 0),
      dueSince: new Date(first.dueAt),
    })
  }

  nextDueAt(lane: Lane, now: Date): Promise<Date | undefined> {
    let next = Number.POSITIVE_INFINITY
    for (const row of this.#laneRows(lane)) {
      if (row.after === undefined && row.state === 'queued' && row.dueAt > now.getTime()) {
        next = Math.min(next, row.dueAt)
      }
    }
    return Promise.resolve(next === Number.POSITIVE_INFINITY ? undefined : new Date(next))
  }

  claim(
    group: SendGroup,
    { now, leaseUntil, limit }: Parameters<Outbox['claim']>[1],
  ): Promise<Claim | undefined> {
    const at = now.getTime()
    const { isolation, list = '', isProfileKnown = false } = group
    const text = `${isolation} ${list} ${isProfileKnown}`
    const due = [...this.#laneRows(group.lane)]
      .filter((row) => groupText(row, at) === text && this.#mayLeave(row, at))
      .sort((a, b) => a.dueAt - b.dueAt || a.id - b.id)
      .slice(0, limit)
    const taken = new Set<IndexedSend>()
    let items = 0
    for (const row of due) {
      for (const other of this.#profileRows(row.profile)) {
        if (items >= limit || other.id > row.id) break
        if (taken.has(other) || !goesAlong(other, row, at)) continue
        taken.add(other)
        if (other.lane === group.lane) items += 1
      }
    }
    if (taken.size === 0) return Promise.resolve(undefined)
    const token = `claim ${++this.#claims}`
    for (const row of taken) {
      Object.assign(row, { state: 'sending', token, isAlone: taken.size === 1 })
      row.leaseUntil = leaseUntil.getTime()
    }
    const sends = [...taken].sort((a, b) => a.id - b.id)
    return Promise.resolve({ token, leaseUntil, sends: sends.map((row) => ({ ...row })) })
  }

  settle(claim: Claim, settlements: readonly Settlement[], now: Date): Promise<void> {
    for (const settlement of settlements) {
      const row = this.rows[settlement.id - 1]
      if (row?.state !== 'sending' || row.token !== claim.token) continue
      if (settlement.to === 'sending') {
        row.leaseUntil = settlement.until.getTime()
        this.#import(row, settlement.job)
        continue
      }
      row.token = undefined
      row.error = 'error' in settlement ? settlement.error : undefined
      if (settlement.to === 'queued') {
        row.state = 'queued'
        row.dueAt = settlement.nextAttemptAt.getTime()
        row.attempts = settlement.attempts
        if (settlement.isSuspect) row.isolation = Math.min(3, row.isolation + 1) as Isolation
        if (settlement.message) row.message = settlement.message
      } else {
        this.#end(row, settlement.to, now)
        if (settlement.to === 'sent' && settlement.job !== undefined) {
          this.#import(row, settlement.job)
        }
      }
    }
    return Promise.resolve()
  }

  recover(now: Date): Promise<number> {
    let recovered = 0
    for (const rows of this.#lanes.values()) {
      for (const row of rows) {
        if (row.state !== 'sending' || row.leaseUntil > now.getTime()) continue
        recovered += 1
        if (row.job !== undefined) {
          this.#end(row, 'sent', now)
          continue
        }
        const isCounted = row.isAlone && row.isolation === 3
        const dueAt = now.getTime() + (isCounted ? (waitAfterLossMs[row.crashes] ?? 0) : 0)
        if (isCounted) row.crashes += 1
        row.isolation = (row.isAlone ? 3 : Math.min(3, row.isolation + 1)) as Isolation
        Object.assign(row, { state: 'queued', dueAt, token: undefined })
        if (row.crashes >= lostWorkersLimit) this.#end(row, 'failed', now)
      }
    }
    return Promise.resolve(recovered)
  }

  openJobs(limit: number): Promise<string[]> {
    return Promise.resolve([...this.#jobs.keys()].slice(0, limit))
  }

  closeJob(job: string, failures: Parameters<Outbox['closeJob']>[1], now: Date): Promise<void> {
    const errors = new Map(failures.map(({ email, error }) => [`email:${email ?? ''}`, error]))
    for (const row of this.#jobs.get(job) ?? []) {
      row.error = errors.get(row.profile)
      this.#end(row, row.error ? 'failed' : 'sent', now)
      Object.assign(row, { job: undefined, token: undefined })
    }
    this.#jobs.delete(job)
    return Promise.resolve()
  }

  failJob(job: string, error: PlatformError, now: Date): Promise<void> {
    for (const row of this.#jobs.get(job) ?? []) {
      this.#end(row, 'failed', now)
      Object.assign(row, { error, job: undefined, token: undefined })
    }
    this.#jobs.delete(job)
    return Promise.resolve()
  }

  prune = () => Promise.resolve(0)
  resend = () => Promise.resolve(false)
  dismiss = () => Promise.resolve(false)

  /** How many sends are in each state. */
  counts(): Partial<Record<SendState, number>> {
    const counts: Partial<Record<SendState, number>> = {}
    for (const { state } of this.rows) counts[state] = (counts[state] ?? 0) + 1
    return counts
  }

  #import(row: IndexedSend, job: string): void {
    row.job = job
    this.#jobs.set(job, [...(this.#jobs.get(job) ?? []), row])
  }

  #end(row: IndexedSend, state: 'sent' | 'failed' | 'skipped', now: Date): void {
    row.state = state
    this.#laneRows(row.lane).delete(row)
    const ofProfile = this.#profileRows(row.profile)
    if (ofProfile.includes(row)) ofProfile.splice(ofProfile.indexOf(row), 1)
    for (const waiting of ofProfile) {
      if (waiting.after !== row.key) continue
      Object.assign(waiting, { after: undefined, dueAt: now.getTime() })
      if (state === 'sent' && waiting.lane === 'list-adds')
        waiting.knownUntil = now.getTime() + 600_000
    }
  }

  #mayLeave(row: IndexedSend, now: number): boolean {
    if (!isDue(row, now)) return false
    return this.#profileRows(row.profile).every(
      (other) => other.state !== 'sending' && (other.id >= row.id || goesAlong(other, row, now)),
    )
  }

  #laneRows(lane: Lane): Set<IndexedSend> {
    const rows = this.#lanes.get(lane) ?? new Set()
    this.#lanes.set(lane, rows)
    return rows
  }

  #profileRows(profile: string): IndexedSend[] {
    const rows = this.#profiles.get(profile) ?? []
    this.#profiles.set(profile, rows)
    return rows
  }
}

const isUnfinished = ({ state }: IndexedSend) => state === 'queued' || state === 'sending'

const isDue = ({ state, after, dueAt }: IndexedSend, now: number) =>
  state === 'queued' && after === undefined && dueAt <= now

function goesAlong(earlier: IndexedSend, row: IndexedSend, now: number): boolean {
  if (!isDue(earlier, now)) return false
  const isItsIdentify = row.lane === 'events' && earlier.lane === 'profiles' && row.isolation < 3
  return isItsIdentify
    ? earlier.isolation === row.isolation
    : earlier.lane === row.lane &&
        earlier.isolation === row.isolation &&
        earlier.list === row.list &&
        earlier.knownUntil > now === row.knownUntil > now
}

const groupOf = ({ lane, isolation, list, knownUntil }: IndexedSend, now: number): SendGroup => ({
  lane,
  isolation,
  ...(list !== undefined && { list }),
  ...(lane === 'list-adds' && { isProfileKnown: knownUntil > now }),
})

const groupText = ({ isolation, list, knownUntil }: IndexedSend, now: number) =>
  `${isolation} ${list ?? ''} ${knownUntil > now}`
