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
} from '../../src/delivery/outbox.js'
import type { ImportError, PlatformError } from '../../src/marketing/platform.js'
import { profileKey } from '../../src/marketing/profile.js'
import { isKeyOf } from '../../src/marketing/send-key.js'

/** A send as the memory keeps it. */
export interface StoredSend extends Send {
  state: SendState
  lane: Lane
  profile: string
  list: string | undefined
  key: string
  /** Key of the send that has to be over before. */
  after: string | undefined
  nextAttemptAt: Date
  isolation: Isolation
  isAlone: boolean
  crashes: number
  token: string | undefined
  leaseUntil: Date | undefined
  knownUntil: Date | undefined
  endedAt: Date | undefined
  job: string | undefined
  error: PlatformError | undefined
}

const knownForMs = 10 * 60 * 1000

/** The outbox in memory: the same behaviour in plain words, for tests that need no database. */
export class MemoryOutbox implements Outbox {
  /** All that is there, in the order it was stored. */
  readonly rows: StoredSend[] = []
  private lastId = 0
  private lastToken = 0

  store(sends: readonly NewSend[]): Promise<void> {
    for (const send of sends) this.storeOne(send)
    return Promise.resolve()
  }

  waiting(lane: Lane, { now, countUpTo }: { now: Date; countUpTo: number }) {
    const due = this.inOrder((row) => row.lane === lane && this.mayLeave(row, now))
    const [first] = due
    if (first === undefined) return Promise.resolve(undefined)
    const count = due.filter((row) => isSameGroup(row, first, now)).length
    return Promise.resolve({
      group: groupOf(first, now),
      count: Math.min(count, countUpTo),
      dueSince: first.nextAttemptAt,
    })
  }

  nextDueAt(lane: Lane, now: Date): Promise<Date | undefined> {
    const next = this.rows
      .filter((row) => row.state === 'queued' && row.lane === lane && row.after === undefined)
      .map((row) => row.nextAttemptAt)
      .filter((at) => at > now)
    return Promise.resolve(next.sort((a, b) => a.getTime() - b.getTime())[0])
  }

  claim(
    group: SendGroup,
    { now, leaseUntil, limit, bytes }: Parameters<Outbox['claim']>[1],
  ): Promise<Claim | undefined> {
    const taken: StoredSend[] = []
    const size = (rows: StoredSend[]) =>
      rows.reduce((sum, { message }) => sum + Buffer.byteLength(JSON.stringify(message)), 0)
    for (const row of this.due(group, now)) {
      const more = this.withCompany(row, now).filter((other) => !taken.includes(other))
      const items = [...taken, ...more].filter(({ lane }) => lane === group.lane).length
      const isFirst = taken.length === 0
      if (items > limit && !isFirst) break
      if (!isFirst && size([...taken, ...more]) > bytes) break
      taken.push(...more.slice(0, isFirst ? this.lengthUpTo(more, group.lane, limit) : undefined))
    }
    if (taken.length === 0) return Promise.resolve(undefined)

    const token = `claim ${++this.lastToken}`
    const isAlone = taken.length === 1
    for (const row of taken) Object.assign(row, { state: 'sending', token, leaseUntil, isAlone })
    const sends = taken
      .sort((a, b) => a.id - b.id)
      .map(({ id, message, acceptedAt, attempts }) => ({ id, message, acceptedAt, attempts }))
    return Promise.resolve({ token, leaseUntil, sends })
  }

  settle(claim: Claim, settlements: readonly Settlement[], now: Date): Promise<void> {
    for (const settlement of settlements) {
      const row = this.rows.find(({ id }) => id === settlement.id)
      if (row?.state !== 'sending' || row.token !== claim.token) continue
      Object.assign(row, { token: undefined, leaseUntil: undefined, isAlone: false })
      row.error = 'error' in settlement ? settlement.error : undefined
      if (settlement.to === 'queued') requeue(row, settlement)
      else if (settlement.to === 'sending') hold(row, settlement)
      else this.end(row, settlement.to, now)
      if (settlement.to === 'sent') row.job = settlement.job
    }
    return Promise.resolve()
  }

  recover(now: Date): Promise<number> {
    const isLost = ({ state, leaseUntil }: StoredSend) =>
      state === 'sending' && leaseUntil !== undefined && leaseUntil <= now
    const lost = this.rows.filter(isLost)
    for (const row of lost) {
      if (row.job !== undefined) {
        this.end(row, 'sent', now)
        continue
      }
      const isCounted = row.isAlone && row.isolation === 3
      const waitMs = isCounted ? (waitAfterLossMs[row.crashes] ?? 0) : 0
      if (isCounted) row.crashes += 1
      row.isolation = row.isAlone ? 3 : moreAlone(row.isolation)
      const nextAttemptAt = new Date(now.getTime() + waitMs)
      Object.assign(row, { state: 'queued', nextAttemptAt, token: undefined })
      Object.assign(row, { leaseUntil: undefined, isAlone: false })
      if (row.crashes < lostWorkersLimit) continue
      row.error = { code: 'WORKER_LOST', detail: 'Its worker was lost too often.' }
      this.end(row, 'failed', now)
    }
    return Promise.resolve(lost.length)
  }

  openJobs(limit: number): Promise<string[]> {
    const jobs = new Set(this.rows.flatMap(({ job }) => job ?? []))
    return Promise.resolve([...jobs].sort().slice(0, limit))
  }

  closeJob(job: string, failures: readonly ImportError[], now: Date): Promise<void> {
    const imported = this.rows.filter((row) => row.job === job)
    const undo = (row: StoredSend, { error, isAmendable }: ImportError) => {
      if (isAmendable && row.state === 'sending') {
        const fresh = { state: 'queued', nextAttemptAt: now, isolation: 3, token: undefined }
        Object.assign(row, { ...fresh, leaseUntil: undefined })
      } else this.end(row, 'failed', now)
      row.error = error
    }
    const named = failures.filter(({ email }) => email !== undefined)
    const open = new Set(imported)
    for (const failure of named) {
      for (const row of imported) {
        if (row.profile !== `email:${failure.email ?? ''}`) continue
        undo(row, failure)
        open.delete(row)
      }
    }
    const unnamed = failures.filter(({ email }) => email === undefined)
    const withoutEmail = [...open].filter(({ profile }) => !profile.startsWith('email:'))
    const candidates = withoutEmail.length > 0 ? withoutEmail : [...open]
    const [first] = unnamed
    if (first !== undefined) for (const row of candidates) row.error = first.error
    if (first !== undefined && unnamed.length >= candidates.length) {
      for (const row of candidates) {
        undo(row, first)
        open.delete(row)
      }
    }
    for (const row of open) this.end(row, 'sent', row.endedAt ?? now)
    for (const row of imported) row.job = undefined
    return Promise.resolve()
  }

  failJob(job: string, error: PlatformError, now: Date): Promise<void> {
    for (const row of this.rows) {
      if (row.job !== job) continue
      this.end(row, 'failed', now)
      Object.assign(row, { job: undefined, error })
    }
    return Promise.resolve()
  }

  prune(before: Date, failedBefore?: Date): Promise<number> {
    const isOld = ({ state, acceptedAt, endedAt, job }: StoredSend) =>
      state === 'failed'
        ? failedBefore !== undefined && acceptedAt < failedBefore
        : (state === 'sent' || state === 'skipped') &&
          job === undefined &&
          endedAt !== undefined &&
          endedAt < before
    return Promise.resolve(this.remove(isOld, 1000))
  }

  resend(id: number, now: Date): Promise<boolean> {
    const row = this.rows.find((candidate) => candidate.id === id && candidate.state === 'failed')
    if (row === undefined) return Promise.resolve(false)
    Object.assign(row, { state: 'queued', nextAttemptAt: now, attempts: 0, crashes: 0 })
    Object.assign(row, { isolation: 0, error: undefined })
    return Promise.resolve(true)
  }

  dismiss(id: number): Promise<boolean> {
    return Promise.resolve(this.remove((row) => row.id === id && row.state === 'failed', 1) > 0)
  }

  private remove(isGone: (row: StoredSend) => boolean, limit: number): number {
    const gone = this.rows.filter(isGone).slice(0, limit)
    for (const row of gone) this.rows.splice(this.rows.indexOf(row), 1)
    return gone.length
  }

  private storeOne(send: NewSend): void {
    const { message, key, previousKey, foldSince, after, acceptedAt, otherwise } = send
    const isRepeat = this.rows.some(
      (row) =>
        row.key === key ||
        (row.key === previousKey && foldSince !== undefined && row.acceptedAt >= foldSince),
    )
    if (isRepeat) {
      const profile = profileKey(message.profile)
      const told = this.rows.filter((row) => row.profile === profile && row.list === undefined)
      const lastKey = told.at(-1)?.key ?? ''
      const isToldLast = [key, previousKey].some((own) => own && isKeyOf(own, lastKey))
      if (otherwise && !isToldLast) this.storeOne({ ...otherwise, acceptedAt })
      return
    }
    const isAwaited = this.rows.some((row) => row.key === after && isUnfinished(row))
    this.rows.push({
      id: ++this.lastId,
      message: structuredClone(message),
      acceptedAt,
      attempts: 0,
      state: 'queued',
      lane: laneOf[message.kind],
      profile: profileKey(message.profile),
      list: 'list' in message ? message.list : undefined,
      key,
      after: isAwaited ? after : undefined,
      nextAttemptAt: acceptedAt,
      isolation: 0,
      isAlone: false,
      crashes: 0,
      token: undefined,
      leaseUntil: undefined,
      knownUntil: undefined,
      endedAt: undefined,
      job: undefined,
      error: undefined,
    })
  }

  private end(row: StoredSend, state: 'sent' | 'failed' | 'skipped', now: Date): void {
    row.state = state
    row.endedAt = state === 'failed' ? undefined : now
    Object.assign(row, { token: undefined, leaseUntil: undefined })
    const hasMadeProfile = state === 'sent' && /^(event|identify)$/.test(row.message.kind)
    for (const waiting of this.rows.filter(({ after }) => after === row.key)) {
      waiting.after = undefined
      waiting.nextAttemptAt = now
      if (hasMadeProfile && waiting.profile === row.profile)
        waiting.knownUntil = new Date(now.getTime() + knownForMs)
    }
  }

  /** Sends of a group that may leave, the longest due profile first. */
  private due(group: SendGroup, now: Date): StoredSend[] {
    return this.inOrder(
      (row) =>
        row.lane === group.lane &&
        this.mayLeave(row, now) &&
        JSON.stringify(groupOf(row, now)) === JSON.stringify(normal(group)),
    )
  }

  private inOrder(isWanted: (row: StoredSend) => boolean): StoredSend[] {
    return this.rows
      .filter(isWanted)
      .sort((a, b) => a.nextAttemptAt.getTime() - b.nextAttemptAt.getTime() || a.id - b.id)
  }

  /** Everything unfinished of its profile up to it. */
  private withCompany(row: StoredSend, now: Date): StoredSend[] {
    return this.rows.filter(
      (other) =>
        other === row ||
        (other.id < row.id && isOfProfile(other, row) && goesAlong(other, row, now)),
    )
  }

  /** How many of a profile's first sends go into a claim of so many items. */
  private lengthUpTo(rows: readonly StoredSend[], lane: Lane, limit: number): number {
    let items = 0
    const end = rows.findIndex((row) => row.lane === lane && ++items === limit)
    return end === -1 ? rows.length : end + 1
  }

  /** An identify with an event behind it that it goes along with. */
  private isForEvent(row: StoredSend, now: Date): boolean {
    if (row.lane !== 'profiles') return false
    const later = this.rows.filter((other) => other.id > row.id && isOfProfile(other, row))
    const isAlike = (other: StoredSend) =>
      other.lane === 'profiles' && isDue(other, now) && other.isolation === row.isolation
    const other = later.find((candidate) => !isAlike(candidate))
    return other?.lane === 'events' && isDue(other, now) && goesAlong(row, other, now)
  }

  private mayLeave(row: StoredSend, now: Date): boolean {
    if (!isDue(row, now) || this.isForEvent(row, now)) return false
    return this.rows
      .filter((other) => isOfProfile(other, row) && other !== row)
      .every(
        (other) => other.state !== 'sending' && (other.id > row.id || goesAlong(other, row, now)),
      )
  }
}

const isUnfinished = ({ state }: StoredSend) => state === 'queued' || state === 'sending'

const isOfProfile = (other: StoredSend, row: StoredSend) =>
  other.profile === row.profile && isUnfinished(other)

const isDue = ({ state, after, nextAttemptAt }: StoredSend, now: Date) =>
  state === 'queued' && after === undefined && nextAttemptAt <= now

function goesAlong(earlier: StoredSend, row: StoredSend, now: Date): boolean {
  if (!isDue(earlier, now)) return false
  const isItsIdentify = row.lane === 'events' && earlier.lane === 'profiles' && row.isolation < 3
  return isItsIdentify
    ? earlier.isolation === row.isolation
    : earlier.lane === row.lane && isSameGroup(earlier, row, now)
}

function groupOf({ lane, isolation, list, knownUntil }: StoredSend, now: Date): SendGroup {
  const isProfileKnown = knownUntil !== undefined && knownUntil > now
  return {
    lane,
    isolation,
    ...(list !== undefined && { list }),
    ...(lane === 'list-adds' && { isProfileKnown }),
  }
}

/** With the keys in one order, to compare. */
const normal = ({ lane, isolation, list, isProfileKnown }: SendGroup): SendGroup => ({
  lane,
  isolation,
  ...(list !== undefined && { list }),
  ...(lane === 'list-adds' && { isProfileKnown: isProfileKnown === true }),
})

const isSameGroup = (a: StoredSend, b: StoredSend, now: Date) =>
  JSON.stringify(groupOf(a, now)) === JSON.stringify(groupOf(b, now))

const moreAlone = (isolation: Isolation): Isolation => Math.min(3, isolation + 1) as Isolation

function hold(row: StoredSend, settlement: Extract<Settlement, { to: 'sending' }>): void {
  row.leaseUntil = settlement.until
  row.job = settlement.job
}

function requeue(row: StoredSend, settlement: Extract<Settlement, { to: 'queued' }>): void {
  const { nextAttemptAt, attempts, isSuspect, message } = settlement
  row.state = 'queued'
  row.nextAttemptAt = nextAttemptAt
  row.attempts = attempts
  if (isSuspect) row.isolation = moreAlone(row.isolation)
  if (message) row.message = structuredClone(message)
}
