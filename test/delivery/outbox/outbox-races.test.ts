import fc from 'fast-check'
import { Client } from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Claim, Lane, NewSend, Outbox, Settlement } from '../../../src/delivery/outbox.js'
import { profileKey } from '../../../src/marketing/profile.js'
import type { Database } from '../../../src/store/payload/database.js'
import { createOutbox } from '../../../src/store/payload/outbox/outbox.js'
import { aListAdd, anEvent, anIdentify, aSubscribe, at } from '../../support/outbox-suite.js'
import { databaseKinds } from '../../support/store.js'
import { openOutboxStore, type OutboxStore } from './outbox-store.js'
import { readStates } from './stored-sends.js'

const lanes: Lane[] = ['events', 'profiles', 'list-adds', 'subscriptions']
const people = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => `${name}@example.com`)

/** A worker that takes what it can get of one lane. */
async function claimNext(
  outbox: Outbox,
  { lane, seconds, limit }: { lane: Lane; seconds: number; limit: number },
) {
  const waiting = await outbox.waiting(lane, { now: at(seconds), countUpTo: 10 })
  return (
    waiting &&
    outbox.claim(waiting.group, {
      now: at(seconds),
      leaseUntil: at(seconds + 7),
      limit,
      bytes: 1e6,
    })
  )
}

/** The outbox of a worker that is lost after so many writes. */
function lostAfter(writes: number, database: Database): Outbox {
  let left = writes
  const lost = () => {
    left -= 1
    if (left < 0) throw new Error('The worker is lost.')
  }
  return createOutbox({
    ...database,
    run(query) {
      lost()
      return database.run(query)
    },
  })
}

/** Who holds which profile, and what has left in which order: fails at the first breach. */
class Watch {
  private readonly holders = new Map<string, string>()
  private readonly sent = new Map<string, number[]>()

  took({ token, sends }: Claim): void {
    for (const { message } of sends) {
      const profile = profileKey(message.profile)
      const holder = this.holders.get(profile) ?? token
      if (holder !== token) throw new Error(`${profile} is in two claims.`)
      this.holders.set(profile, token)
    }
  }

  /** Before the sends are settled or their lease ends: afterwards others may have them. */
  gaveBack({ sends, token }: Claim): void {
    for (const { message } of sends) {
      const profile = profileKey(message.profile)
      if (this.holders.get(profile) === token) this.holders.delete(profile)
    }
  }

  delivered({ sends }: Claim, ids: ReadonlySet<number>): void {
    for (const { id, message } of sends) {
      if (!ids.has(id)) continue
      const profile = profileKey(message.profile)
      const earlier = this.sent.get(profile) ?? []
      if (earlier.some((other) => other >= id)) throw new Error(`${profile}: ${id} is late.`)
      this.sent.set(profile, [...earlier, id])
    }
  }
}

const aPost = (key: string, email: string, kind: number): NewSend[] => {
  if (kind === 0) return [anEvent(key, { email })]
  if (kind === 1) return [anIdentify(key, { email })]
  if (kind === 2) return [aSubscribe(key, { email })]
  const list = kind === 3 ? 'A' : 'B'
  return [anEvent(key, { email }), aListAdd(`${key} list`, { email, list, after: key })]
}

describe.each(databaseKinds)('The outbox of several processes (%s)', (kind) => {
  let store: OutboxStore
  let workers: OutboxStore[]
  beforeAll(async () => {
    store = await openOutboxStore(kind)
    workers = [store, await store.join(), await store.join(), await store.join()]
  })
  beforeEach(() => store.clear())
  afterAll(() => store.close())

  it('never gives a profile to two workers that claim at once, and keeps its order', async () => {
    const posts = Array.from({ length: 120 }, (_, index) =>
      aPost(`post ${index}`, people[index % people.length] ?? '', index % 5),
    )
    await store.outbox.store(posts.flat())
    const watch = new Watch()
    const work = async ({ outbox }: OutboxStore, lane: Lane, limit: number): Promise<void> => {
      const claimed = await claimNext(outbox, { lane, seconds: 1, limit })
      if (claimed === undefined) return
      watch.took(claimed)
      await new Promise((resolve) => setImmediate(resolve))
      watch.delivered(claimed, new Set(claimed.sends.map(({ id }) => id)))
      watch.gaveBack(claimed)
      const settlements = claimed.sends.map(({ id }) => ({ id, to: 'sent' as const }))
      await outbox.settle(claimed, settlements, at(1))
    }
    const isOver = async () =>
      Object.values(await readStates(store)).every((state) => state === 'sent')
    for (let round = 0; !(await isOver()); round++) {
      if (round > 1000) throw new Error('It comes to no end.')
      await Promise.all(
        workers.flatMap((worker, index) => lanes.map((lane) => work(worker, lane, 2 + 3 * index))),
      )
    }
    expect(Object.keys(await readStates(store))).toHaveLength(posts.flat().length)
  })

  it('leaves a job open or closed when a worker is lost while it closes it', async () => {
    await store.outbox.store([
      anIdentify('a', { email: 'a@example.com' }),
      {
        ...anIdentify('phone'),
        message: { kind: 'identify', profile: { phoneNumber: '+436641234567' } },
      },
    ])
    const claimed = await claimNext(store.outbox, { lane: 'profiles', seconds: 0, limit: 10 })
    if (claimed === undefined) throw new Error('Nothing is due.')
    const settlements = claimed.sends.map(({ id }) => ({ id, to: 'sent' as const, job: 'job' }))
    await store.outbox.settle(claimed, settlements, at(1))

    // An error that names nobody is of the one without an email, if anybody can tell which that was.
    const failures = [{ email: undefined, error: { code: 'invalid', detail: 'Not taken.' } }]
    await lostAfter(1, store.database)
      .closeJob('job', failures, at(2))
      .catch(() => undefined)
    await store.outbox.closeJob('job', failures, at(3))
    expect(await readStates(store)).toEqual({ a: 'sent', phone: 'failed invalid' })
    expect(await store.outbox.openJobs(5)).toEqual([])
  })

  it('gives a send to one of the workers that claim it at once', async () => {
    await store.outbox.store(people.map((email) => anEvent(email, { email })))
    const claims = await Promise.all(
      workers.map(({ outbox }) => claimNext(outbox, { lane: 'events', seconds: 1, limit: 3 })),
    )
    const ids = claims.flatMap((claimed) => claimed?.sends.map(({ id }) => id) ?? [])
    expect(new Set(ids).size).toBe(ids.length)
  })

  it('stores a post once that several processes get at once', async () => {
    for (let round = 0; round < 20; round++) {
      const posts = people.map((email) => anEvent(`${email} ${round}`, { email }))
      await Promise.all(
        workers.flatMap(({ outbox }, index) =>
          posts.map((post) => outbox.store(index % 2 ? [post] : [...posts].reverse())),
        ),
      )
    }
    expect(Object.keys(await readStates(store))).toHaveLength(20 * people.length)
  })

  const step = fc.oneof(
    fc.record({
      do: fc.constant('store' as const),
      person: fc.nat({ max: 3 }),
      kind: fc.nat({ max: 4 }),
    }),
    fc.record({
      do: fc.constant('claim' as const),
      worker: fc.nat({ max: 3 }),
      lane: fc.constantFrom(...lanes),
      limit: fc.integer({ min: 1, max: 4 }),
    }),
    fc.record({
      do: fc.constant('settle' as const),
      claim: fc.nat(),
      // One for each send in turn: sent, put off, due at once, suspect, failed, lost sight of.
      outcomes: fc.array(fc.nat({ max: 5 }), { minLength: 1, maxLength: 4 }),
    }),
    fc.record({ do: fc.constant('wait' as const), seconds: fc.integer({ min: 1, max: 8 }) }),
  )

  it(
    'loses nothing, doubles nothing and keeps order, whatever happens in which order',
    { timeout: 240_000 },
    async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
          await store.clear()
          await new Story(workers).play(steps)
        }),
        {
          numRuns: Number(process.env.RUNS ?? 40),
          ...(process.env.SEED && { seed: Number(process.env.SEED) }),
        },
      )
    },
  )

  type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never

  class Story {
    private seconds = 0
    private posts = 0
    private keys: string[] = []
    private claims: Claim[] = []
    private readonly lost: Claim[] = []
    private readonly watch = new Watch()
    constructor(private readonly outboxes: OutboxStore[]) {}

    async play(steps: readonly Step[]): Promise<void> {
      for (const one of steps) await this.take(one)
      await this.finish()
      const states = await readStates(store)
      expect(Object.keys(states).sort()).toEqual([...this.keys].sort())
      expect(Object.values(states).filter((state) => !/^(sent|failed)/.test(state))).toEqual([])
    }

    private async take(one: Step): Promise<void> {
      if (one.do === 'store') {
        const key = `post ${this.posts++}`
        const sends = aPost(key, people[one.person] ?? '', one.kind).map((send) => ({
          ...send,
          acceptedAt: at(this.seconds),
        }))
        this.keys.push(...sends.map((send) => send.key))
        await store.outbox.store(sends)
      } else if (one.do === 'claim') {
        await this.claim(one.worker, one.lane, one.limit)
      } else if (one.do === 'settle') {
        const [claimed] = this.claims.splice(one.claim % (this.claims.length || 1), 1)
        if (claimed) await this.settle(claimed, one.outcomes)
      } else {
        this.seconds += one.seconds
        await this.recover()
      }
    }

    private async claim(worker: number, lane: Lane, limit: number): Promise<boolean> {
      const { outbox } = this.outboxes[worker] ?? store
      const claimed = await claimNext(outbox, { lane, seconds: this.seconds, limit })
      if (claimed === undefined) return false
      this.watch.took(claimed)
      this.claims.push(claimed)
      return true
    }

    private async settle(claimed: Claim, outcomes: readonly number[]): Promise<void> {
      const settlements = this.settlementsOf(claimed, outcomes)
      const settled = new Set(settlements.map(({ id }) => id))
      const isSettled = ({ id }: Claim['sends'][number]) => settled.has(id)
      if (claimed.leaseUntil > at(this.seconds)) {
        const sent = settlements.filter(({ to }) => to === 'sent').map(({ id }) => id)
        this.watch.delivered(claimed, new Set(sent))
        this.watch.gaveBack(claimed)
        // What it does not tell of stays its own until the lease is over.
        const rest = { ...claimed, sends: claimed.sends.filter((send) => !isSettled(send)) }
        this.watch.took(rest)
        this.lost.push(rest)
      }
      await store.outbox.settle(claimed, settlements, at(this.seconds))
    }

    /** As a worker would that sends one after another: behind one that was not taken nothing is sent. */
    private settlementsOf({ sends }: Claim, outcomes: readonly number[]): Settlement[] {
      const stopped = new Map<string, number>()
      return sends.flatMap(({ id, attempts, message }, index): Settlement[] => {
        const profile = profileKey(message.profile)
        const outcome = stopped.get(profile) ?? outcomes[index % outcomes.length] ?? 0
        if (outcome === 0) return [{ id, to: 'sent' }]
        if (outcome === 4) return [{ id, to: 'failed', error: { code: 'no', detail: '' } }]
        stopped.set(profile, outcome)
        if (outcome === 5) return []
        const nextAttemptAt = at(this.seconds + (outcome === 1 ? 5 : 0))
        const isSuspect = outcome === 3
        return [{ id, to: 'queued', nextAttemptAt, attempts: attempts + 1, isSuspect }]
      })
    }

    private async recover(): Promise<void> {
      for (const claimed of [...this.claims, ...this.lost]) {
        if (claimed.leaseUntil <= at(this.seconds)) this.watch.gaveBack(claimed)
      }
      await store.outbox.recover(at(this.seconds))
    }

    /** Everything that is left is sent, by workers that lose nothing. */
    private async finish(): Promise<void> {
      this.seconds += 60
      await this.recover()
      // What was singled out waits longer after each lost worker.
      this.seconds += 120
      this.claims = []
      for (let round = 0; round < 400; round++) {
        let hasClaimed = false
        for (const lane of lanes) hasClaimed = (await this.claim(0, lane, 3)) || hasClaimed
        for (const claimed of this.claims.splice(0)) await this.settle(claimed, [0])
        if (!hasClaimed) return
      }
      throw new Error('It comes to no end.')
    }
  }
})

describe('A claim beside one that is not committed yet (postgres)', () => {
  let store: OutboxStore
  let other: Client
  beforeAll(async () => {
    store = await openOutboxStore('postgres')
    other = new Client({ connectionString: store.url })
    await other.connect()
  })
  afterAll(async () => {
    await other.end()
    await store.close()
  })

  it('passes over what the other has, and everything later of the same profile', async () => {
    const [email, free] = ['ada@example.com', 'free@example.com']
    await store.outbox.store([
      anIdentify('first', { email }),
      anEvent('second', { email }),
      anEvent('third', { email }),
      anEvent('free', { email: free }),
    ])
    for (const [key, expected] of [
      ['first', ['free']],
      ['second', []],
    ] as const) {
      await other.query('begin')
      await other.query(
        `update marketing_sends set state = 'sending', token = 'other', lease_until = $2 where key = $1`,
        [key, at(7)],
      )
      const claimed = await claimNext(store.outbox, { lane: 'events', seconds: 1, limit: 10 })
      const ids = claimed?.sends.map(({ message }) => 'event' in message && message.event.uniqueId)
      expect(ids ?? []).toEqual(expected)
      await other.query('rollback')
    }
  })
})
