import { sql } from 'drizzle-orm'
import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { mergeKey } from '../../src/delivery/call-item.js'
import { createDeliverer, type Deliverer } from '../../src/delivery/deliverer.js'
import { sendTable } from '../../src/delivery/send-table.js'
import type { Message } from '../../src/klaviyo/message.js'
import type { PlatformError } from '../../src/klaviyo/platform.js'
import { defaultMarketingSettings } from '../../src/marketing-settings/marketing-settings.js'
import { at } from '../support/new-sends.js'
import { shopOf } from '../support/shop-of.js'
import { databaseKinds } from '../support/store.js'
import { aListAdd, anEvent, anIdentify, aSubscribe } from '../support/messages.js'
import { ModelPlatform, networkDown } from './drain/model-platform.js'
import { endLease } from '../support/end-lease.js'
import { openOutboxStore, type OutboxStore } from './outbox/outbox-store.js'
import { readStates } from './outbox/stored-sends.js'
import { passes } from './passes.js'

/** Where a process is lost: before the platform has its call, or before it reads the answer. */
type Loss = 'arrive' | 'leave'

/** One process after another on the same sends, each of which may be lost in the middle of its calls. */
class Processes {
  readonly platform = new ModelPlatform(() => at(this.seconds).getTime())
  /** The time. */
  seconds = 0
  /** How far the clocks of the processes are ahead that are opened from now on. */
  aheadSeconds = 0
  /** What was stored, in its order, by key. */
  readonly posted = new Map<string, Message>()
  readonly #lost: Deliverer[] = []
  readonly #held: ((reason: Error) => void)[] = []

  constructor(readonly store: OutboxStore) {}

  async post(...messages: Message[]): Promise<void> {
    const acceptedAt = at(this.seconds)
    const sends = messages.map((message) => {
      const key = `send ${this.posted.size}`
      this.posted.set(key, message)
      return { key, message, acceptedAt }
    })
    await this.store.outbox.store(sends)
  }

  /** A process that delivers from now on, whoever did before. */
  async #open(): Promise<Deliverer> {
    const { aheadSeconds } = this
    const settings = { ...defaultMarketingSettings, privateApiKey: 'key', keyProblem: undefined }
    const shop = shopOf(this.store.payload, {
      now: () => at(this.seconds + aheadSeconds),
      random: () => 0.5,
      deadline: () => new AbortController().signal,
    })
    const process = createDeliverer(shop, {
      platform: this.platform,
      settings: () => Promise.resolve(settings),
      accountConsents: () => Promise.resolve(new Map()),
    })
    while (!(await process.take())) await endLease(this.store.database)
    return process
  }

  /** A process does what can be done now. */
  async pass(): Promise<void> {
    const process = await this.#open()
    await passes(process).pass()
    await process.giveBack()
  }

  /** A process does what can be done now, and is lost. */
  async passAndLose(): Promise<void> {
    const process = await this.#open()
    await passes(process).pass()
    this.#lost.push(process)
  }

  /** A process takes over, and is lost. */
  async takeOverAndLose(): Promise<void> {
    this.#lost.push(await this.#open())
  }

  /** A process is lost in the middle of its first calls, or when its calls came so far. */
  async lose(loss: Loss, cameSoFar: () => boolean = () => true): Promise<void> {
    const process = await this.#open()
    const isHeld = new Promise<void>((resolve) => {
      this.platform[loss] = () => {
        if (cameSoFar()) resolve()
        return new Promise((_, reject) => void this.#held.push(reject))
      }
    })
    let isBusy = (await process.poll())?.isBusy
    while (isBusy && (await Promise.race([isHeld.then(() => true), process.oneEnded()])) !== true) {
      isBusy = (await process.poll())?.isBusy
    }
    this.platform[loss] = () => Promise.resolve()
    this.#lost.push(process)
  }

  /** A process does all that there is to do. */
  async finish(): Promise<void> {
    const process = await this.#open()
    for (let round = 0; round < 1_000; round++) {
      const { nextAt } = await passes(process).pass()
      if (nextAt === undefined) return process.giveBack()
      this.seconds = Math.max(this.seconds, (nextAt.getTime() - at(0).getTime()) / 1_000)
    }
    throw new Error('It comes to no end.')
  }

  /** Those that were lost go on: what they had in their hands comes to its end as well. */
  async wakeLost(): Promise<void> {
    for (const reject of this.#held.splice(0)) reject(new Error('The connection is gone.'))
    for (const process of this.#lost.splice(0)) await process.giveBack()
  }
}

const list = 'NEWS'
const step = fc.oneof(
  fc.record({
    do: fc.constant('post' as const),
    person: fc.nat({ max: 3 }),
    kind: fc.nat({ max: 4 }),
  }),
  fc.record({ do: fc.constant('post many' as const), kind: fc.nat({ max: 1 }) }),
  fc.record({ do: fc.constant('pass' as const) }),
  fc.record({
    do: fc.constant('lose' as const),
    loss: fc.constantFrom<Loss>('arrive', 'leave'),
    wakes: fc.boolean(),
  }),
  fc.record({ do: fc.constant('trouble' as const), what: fc.nat({ max: 2 }) }),
  fc.record({ do: fc.constant('wait' as const), seconds: fc.integer({ min: 1, max: 400 }) }),
)
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never

const error: PlatformError = { code: 'invalid', detail: 'Not taken.' }

describe.each(databaseKinds)('Processes that are lost (%s)', (kind) => {
  let store: OutboxStore
  beforeAll(async () => {
    store = await openOutboxStore(kind)
  })
  beforeEach(() => store.clear())
  afterAll(() => store.close())

  const states = async () => Object.values(await readStates(store))

  it('cost their sends no attempts, and these go by themselves', async () => {
    const processes = new Processes(store)
    const people = Array.from({ length: 60 }, (_, n) => `p${n}@x.io`)
    await processes.post(...people.map((email) => aSubscribe(email)))
    const sizes: number[] = []
    for (const isFull of [false, false, true]) {
      // What fills no call waits for more sends; ten fill one of ten.
      if (!isFull) await processes.pass()
      processes.seconds += 5
      await processes.lose('arrive')
      sizes.push((await states()).filter((state) => state === 'sending').length)
    }
    expect(sizes.slice(0, 2)).toEqual([60, 60])
    expect([10, 20, 30, 40]).toContain(sizes[2])
    await processes.finish()
    await processes.wakeLost()
    expect(await states()).toEqual(people.map(() => 'sent'))
    expect(processes.platform.members.get(list)?.size).toBe(60)
    const { table, bare } = sendTable(store.database)
    const [row] = await store.database.rows(
      sql`select sum(${bare.attempts}) as "attempts" from ${table}`,
    )
    expect(Number(row?.attempts)).toBe(0)
  })

  it('are three after which a send that was alone is set aside, and what is behind it goes', async () => {
    const processes = new Processes(store)
    await processes.post(anEvent('a@x.io', 'fatal'), aSubscribe('a@x.io'))
    await processes.lose('arrive')
    // Lost alone, it is singled out, and tried again at once; then after 20 s, and after five minutes.
    await processes.lose('arrive')
    for (const wait of [20, 300]) {
      expect(await states()).toEqual(['sending', 'queued'])
      await processes.pass()
      processes.seconds += wait - 1
      await processes.pass()
      expect(processes.platform.calls).toEqual([])
      processes.seconds += 1
      await processes.lose('arrive')
    }
    await processes.pass()
    expect(await states()).toEqual(['failed WORKER_LOST', 'sent'])
    await processes.wakeLost()
    expect(await states()).toEqual(['failed WORKER_LOST', 'sent'])
  })

  it('put off what was singled out before, as long as they are lost one after another', async () => {
    const processes = new Processes(store)
    await processes.post(anEvent('a@x.io', 'innocent'))
    await processes.lose('arrive')
    await processes.lose('arrive')
    await processes.pass()
    for (const name of ['b@x.io', 'c@x.io']) {
      processes.seconds += 19
      await processes.post(anEvent(name, name))
      await processes.lose('arrive')
      await processes.pass()
      expect((await states())[0]).toBe('queued')
    }
    processes.seconds += 19
    await processes.pass()
    expect(await states()).toEqual(['queued', 'sent', 'sent'])
    processes.seconds += 1
    await processes.pass()
    expect(await states()).toEqual(['sent', 'sent', 'sent'])
    await processes.wakeLost()
  })

  it('put off nothing for longer than an hour', async () => {
    const processes = new Processes(store)
    await processes.post(anEvent('a@x.io', 'innocent'))
    processes.seconds += 3_601
    await processes.lose('arrive')
    await processes.lose('arrive')
    await processes.pass()
    processes.seconds += 19
    await processes.post(anEvent('b@x.io', 'b@x.io'))
    await processes.lose('arrive')
    await processes.pass()
    expect((await states())[0]).toBe('queued')
    processes.seconds += 1
    await processes.pass()
    expect(await states()).toEqual(['sent', 'sent'])
    await processes.wakeLost()
  })

  it.each([120, 3_600])(
    'keep nothing waiting because their clock was %i s ahead',
    async (aheadSeconds) => {
      const processes = new Processes(store)
      const { platform } = processes
      processes.aheadSeconds = aheadSeconds
      platform.trouble = () => networkDown
      await processes.post(...['a', 'b', 'c'].map((name) => anEvent(`${name}@x.io`, name)))
      await processes.passAndLose()
      expect(platform.calls.length).toBeGreaterThan(1)

      platform.trouble = () => undefined
      processes.aheadSeconds = 0
      for (let second = 0; second < 15; second++) {
        processes.seconds += 1
        await processes.pass()
      }
      expect(await states()).toEqual(['sent', 'sent', 'sent'])
      await processes.wakeLost()
    },
  )

  it('keep nothing waiting that they have only taken over, though their clock was an hour ahead', async () => {
    const processes = new Processes(store)
    await processes.post(anEvent('a@x.io', 'a'))
    await processes.lose('arrive')
    processes.aheadSeconds = 3_600
    await processes.takeOverAndLose()
    processes.aheadSeconds = 0
    await processes.pass()
    expect(await states()).toEqual(['sent'])
    await processes.wakeLost()
  })

  describe('whose calls took effect', () => {
    const theirSteps = ({ platform }: Processes) =>
      platform.effects.flatMap(({ person, what }) =>
        person === 'a@x.io' && what.startsWith('step') ? Number(what.slice(5)) : [],
      )
    const properties = (step: number) => ({ properties: { step } })
    const others = (name: string) =>
      Array.from({ length: 30 }, (_, n) => anIdentify(`${name}${n}@x.io`))

    it.each([
      ['an identify', (step: number) => anIdentify('a@x.io', properties(step))],
      ['an event', (step: number) => anEvent('a@x.io', `${step}`, properties(step))],
    ])('let %s that is singled out say the newest value of its profile', async (_, post) => {
      const processes = new Processes(store)
      await processes.post(post(1), ...others('b'), post(2))
      processes.seconds += 1
      await processes.lose('leave', () => theirSteps(processes).length > 0)
      // Each is refused in company, and nobody knows because of whom.
      processes.platform.trouble = ({ profiles }) =>
        profiles.length > 1 ? { is: 'culpritUnknown', error } : undefined
      await processes.finish()
      await processes.wakeLost()
      expect(new Set(await states())).toEqual(new Set(['sent']))
      const steps = theirSteps(processes)
      expect(steps.length).toBeGreaterThan(2)
      expect(steps.slice(steps.indexOf(2))).toEqual(steps.slice(steps.indexOf(2)).map(() => 2))
    })

    it('refuse only the value that is bad, though the newest goes along with the others', async () => {
      const processes = new Processes(store)
      await processes.post(
        anIdentify('a@x.io', properties(1)),
        ...others('b'),
        anIdentify('a@x.io', properties(2)),
      )
      processes.seconds += 1
      await processes.lose('arrive')
      processes.platform.trouble = ({ profiles }) =>
        profiles.some((profile) => profile.properties?.step === 2)
          ? { is: profiles.length > 1 ? 'culpritUnknown' : 'refused', error }
          : undefined
      await processes.finish()
      await processes.wakeLost()
      expect(theirSteps(processes)).toEqual([1])
      const all = await readStates(store)
      expect(all['send 0']).toBe('sent')
      expect(all[`send ${processes.posted.size - 1}`]).toBe('failed invalid')
      expect(Object.values(all).filter((state) => state !== 'sent')).toHaveLength(1)
    })
  })

  it(
    'lose nothing, double nothing and keep order, whatever happens in which order',
    { timeout: 240_000 },
    async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
          await store.clear()
          await play(steps)
        }),
        {
          numRuns: Number(process.env.LOSS_RUNS ?? 25),
          ...(process.env.SEED && { seed: Number(process.env.SEED) }),
        },
      )
    },
  )

  async function play(steps: readonly Step[]): Promise<void> {
    const processes = new Processes(store)
    const { platform, posted } = processes
    for (const one of steps) {
      if (one.do === 'post') {
        await processes.post(...aPost(posted.size, `p${one.person}@x.io`, one.kind))
      } else if (one.do === 'post many') {
        const people = Array.from({ length: 30 }, (_, n) => `p${n}@x.io`)
        const posts = people.flatMap((email, n) => aPost(posted.size + n, email, one.kind))
        await processes.post(...posts)
      } else if (one.do === 'pass') await processes.pass()
      else if (one.do === 'wait') processes.seconds += one.seconds
      else if (one.do === 'lose') {
        await processes.lose(one.loss)
        if (one.wakes) {
          await processes.pass()
          await processes.wakeLost()
        }
      } else {
        platform.trouble = ({ profiles }) => {
          if (one.what === 1) return networkDown
          return one.what === 2 && profiles.length > 1 ? { is: 'culpritUnknown', error } : undefined
        }
      }
    }
    platform.trouble = () => undefined
    await processes.finish()
    await processes.wakeLost()
    await expectAllIsWell(processes)
  }

  async function expectAllIsWell({ posted, platform }: Processes): Promise<void> {
    const states = await readStates(store)
    expect(new Set(Object.keys(states))).toEqual(new Set(posted.keys()))
    const people = new Map<string, { keys: string[]; isWhole: boolean }>()
    for (const [key, { profile }] of posted) {
      const person = people.get(mergeKey(profile)) ?? { keys: [], isWhole: true }
      person.keys.push(key)
      if (states[key] !== 'sent') {
        expect(states[key]).toMatch(/^(failed WORKER_LOST|skipped PROFILE_NOT_FOUND)$/)
        person.isWhole = false
      }
      people.set(mergeKey(profile), person)
    }
    for (const [name, { keys, isWhole }] of people) {
      const events = platform.effects
        .filter(({ person, what }) => person === name && !what.startsWith('step'))
        .map(({ what }) => Number(what))
      expect(events).toEqual(events.toSorted((one, other) => one - other))
      expect(new Set(events).size).toBe(events.length)
      if (!isWhole) continue
      const messages = keys.flatMap((key) => posted.get(key) ?? [])
      const sent = messages.flatMap((message) =>
        message.kind === 'event' ? Number(message.event.uniqueId) : [],
      )
      expect(events).toEqual(sent)
      const newest = messages.findLast((message) => message.profile.properties?.step !== undefined)
      expect(platform.profiles.get(name)?.properties).toEqual(newest?.profile.properties)
    }
  }
})

function aPost(number: number, email: string, kind: number): Message[] {
  const properties = { step: number }
  if (kind === 0) return [anEvent(email, `${number}`)]
  if (kind === 1) return [anIdentify(email, { properties })]
  if (kind === 2) return [aSubscribe(email)]
  if (kind === 3) return [anEvent(email, `${number}`, { properties })]
  return [anIdentify(email, { properties }), aListAdd(email)]
}
