import fc from 'fast-check'
import { installedIn } from '../../src/core/installation.js'
import { getPayload, type BasePayload } from 'payload'
import { createKlaviyoStandIn, demoApiKey } from '../../dev/klaviyo/stand-in.ts'
import { allScopes, type Scope } from '../../dev/klaviyo/calls.ts'
import type { Fault } from '../../dev/klaviyo/faults.ts'
import { randomFrom } from '../../dev/seed/random.ts'
import type { Around } from '../../src/core/shop.js'
import type { NewSend } from '../../src/marketing/delivery/send.js'
import type { Message } from '../../src/marketing/klaviyo/message.js'
import { pushSchema } from '../support/push-schema.js'
import { storeConfig, type DatabaseKind } from '../support/store-config.js'
import { Products, type ProductStep } from './catalog.js'
import { Coupons, type CouponStep, type RunOutStep } from './coupons.js'
import { ErasuresModel } from './erasures-model.js'
import { Erasures, type ErasureStep } from './erasures.js'
import { startMs, type Row, type SimulatedDatabase } from './gate.js'
import { memoryDatabase } from './memory-database.js'
import {
  isGivenUp,
  Model,
  Moments,
  stepOf,
  wishKinds,
  type Arrived,
  type Left,
  type Wish,
} from './model.js'
import { emailOf } from './people.js'
import { postgresDatabase } from './postgres-database.js'
import { Reviews, reviewsCollection, type ReviewStep } from './reviews.js'
import { network, Scheduler } from './scheduler.js'
import { Shipments, type ShipmentStep } from './shipments.js'
import {
  processNames,
  running,
  SimProcess,
  simulatedEffects,
  simulatedOptions,
  deliverer,
  type Aim,
  type DatabaseTrouble,
} from './sim-process.js'
import { runsOf } from './steps.js'
import { Waiting, type WaitingStep } from './waiting.js'
import { Witness } from './witness.js'
import { virtualDates } from './virtual-date.js'
import './loaded-before.js'

type Aimed = { at: number; aim?: Aim | undefined }

/** One seed and one list of steps decide all that happens. */
export type Step =
  | { do: 'post'; person: number; kind: Wish['kind'] | 'leaves and returns'; at: number }
  /** Thirty at once, of so many people: one is what Klaviyo refuses, or an answer is lost. */
  | { do: 'crowd'; kind: 'event' | 'identify'; people: number; poison: number; at: number }
  /** Klaviyo refuses what somebody posts, until a merchant resends what has failed. */
  | { do: 'post what is refused'; person: number; kind: 'event' | 'identify'; at: number }
  | { do: 'resend'; at: number }
  | ShipmentStep
  | ErasureStep
  | ProductStep
  | ReviewStep
  | WaitingStep
  | CouponStep
  | RunOutStep
  | { do: 'leave at Klaviyo'; person: number }
  | { do: 'stop'; at: number }
  | ({ do: 'kill' } & Aimed)
  | ({ do: 'freeze'; ms: number } & Aimed)
  /** It may be the last thing that happens to a process, which is killed then. */
  | ({ do: 'set clock'; seconds: number; isLast?: boolean } & Aimed)
  | { do: 'trouble at Klaviyo'; fault: Fault }
  /**
   * Somebody posts, and whoever delivers cannot write the `mark` of the call or its `result`, does not know whether it has,
   * dies with that, or stands still until another has taken over. Its clock may be an hour ahead, and then the call fails,
   * so that something is put off by that clock.
   */
  | {
      do: 'trouble with a call'
      person: number
      of: 'event' | 'identify'
      write: 'mark' | 'result'
      trouble: DatabaseTrouble | 'kill' | 'freeze'
      isAhead: boolean
      at: number
    }
  /** So many processes die one after the other, in calls with what one person posts. Then Klaviyo is away for hours. */
  | {
      do: 'outage'
      of: 'event' | 'identify' | 'subscribe'
      kills: number
      hours: number
      at: number
    }
  /** The key lacks this scope from now on, or none; a merchant may test it. */
  | { do: 'scope'; lost: Scope | undefined; isTested: boolean; person: number; at: number }
  | ({ do: 'trouble at the database'; trouble: DatabaseTrouble; statements: number } & Aimed)
  /** For so long. */
  | { do: 'the database'; state: 'is full' | 'is away'; ms: number }
  | { do: 'end of troubles' }
  | { do: 'wait'; ms: number }

/** What takes time of its own. */
type TimedStep = Extract<
  Step,
  { do: 'outage' | 'scope' | 'coupons run out' | 'trouble with a call' }
>

export interface Run {
  /**
   * Of the outbox alone: nobody reads the shop's own documents, which takes most of the time. Of `functions`:
   * the same, on a host that stops a process some time after its answer, until it is asked again.
   */
  of: 'outbox' | 'functions' | 'shop'
  seed: number
  /** How many there are. One alone has more happen at once. */
  people: number
  steps: readonly Step[]
}

/** A shop that is made once and simulated many times. */
export type SimulatedShop = Awaited<ReturnType<typeof openSimulatedShop>>

/** How many let-through things there are between two steps, at most. */
const mostBetween = 12
const lookEveryMs = 1_000
/** What comes twice comes this soon after, which a part of all runs waits for. */
const repeatsWithinMs = 5_000
const waitsForRepeats = 0.3
/** The feeds read everything again each five minutes, and a call that fails waits for minutes. */
const longestWaitMs = 15 * 60_000
/**
 * What a machine saves that is an hour behind is read once an hour (`docs/decisions/0006-events.md`), and once an hour it
 * shows whether the key has a scope again.
 */
const longestBehindMs = 75 * 60_000
/** The longest wait of a send, and some more (`docs/decisions/0005-outbox.md`). */
const longestAfterOutageMs = 7 * 60 * 60_000
/** A machine may sleep for as long as what is put off waits at most. */
const sleepMs = 5 * 60_000
/** The machine may also be slow instead, and stand still for so long, again and again. A lease lasts longer. */
const isSlowInstead = 0.5
const stallMs = 8_000
/** Then whatever waits for minutes is due. */
const sleepsAfterMs = 15_000
/** Another process takes over meanwhile. */
const longerThanLeaseMs = 12_000
/** A process looks at the lease each second. */
const handOverMs = 2_000
/** Another process takes over what a lost one has left, and what was alone in its call waits. */
const takeOverMs = 35_000
/** A process that has seen the database fail looks again after this time at the latest. */
const errorWaitMs = 35_000
/** A host may stop a process as soon as it has answered, or when it likes. */
const longestAfterAnswerMs = 5_000
/** During an outage the machine wakes up so often. A look without need is what takes most of a run. */
const sleepsOfHour = 4
const outageSleepMs = (60 * 60_000) / sleepsOfHour
/** Another process takes over after nine seconds, and a send that was alone in the call waits for twenty. */
const longestBetweenKillsMs = 30_000
const lostAnswer: Fault = { kind: 'reset', times: 1, isProcessed: true }
const refusedNow: Fault = {
  kind: 'poison',
  marker: 'refused at first',
  says: 'data',
}
/** A process may end while Klaviyo works on a job. */
const jobSeconds = 2
const people = [0, 1, 2]
const leavesAndReturns = ['unsubscribe', 'subscribe'] as const

/** @param url A SQLite file, or a database of PostgreSQL, without any table. */
export async function openSimulatedShop(kind: DatabaseKind, url: string) {
  let world: World | undefined
  const effects = simulatedEffects((request, process) => {
    if (world === undefined) throw new Error('Nobody plays.')
    return world.fetch(request, process)
  })
  const setup = {
    kind,
    url,
    collections: [reviewsCollection],
    userAuth: { verify: true },
    options: simulatedOptions,
  }
  await pushSchema(await storeConfig(setup))
  const restoreDates = virtualDates(() => running.getStore() && effects.now().getTime())
  // What is made at start-up belongs to a process that never runs.
  const none = new Scheduler(randomFrom(0))
  const base = await running.run({ scheduler: none, aheadMs: 0 } as SimProcess, async () => {
    const payload = await getPayload({
      config: await storeConfig({ ...setup, effects }),
      key: url,
    })
    await installedIn(payload)
    return payload
  })
  const database =
    kind === 'sqlite' ? await memoryDatabase(base) : await postgresDatabase(url, base)

  /** Resolves to what is wrong; an empty list when all is as it must be. */
  const play = async (run: Run) => {
    await database.clear()
    const played = new World(base, { database, effects, run })
    world = played
    return { problems: await played.play(), trace: played.scheduler.trace, world: played }
  }
  // What is made once, at its first use, would change the first run.
  for (const run of fc.sample(runsOf('shop'), { numRuns: 2, seed: 0 })) await play(run)

  return {
    kind,
    play,
    async close() {
      restoreDates()
      await database.close()
      await base.destroy()
    },
  }
}

/** What happens to the shop in one run. */
export class World {
  readonly scheduler: Scheduler
  readonly klaviyo
  readonly moments = new Moments()
  readonly forgotten = new ErasuresModel(this.moments)
  readonly model = new Model(this.moments, this.forgotten)
  readonly shipments: Shipments
  readonly erasures: Erasures
  readonly products: Products
  readonly reviews: Reviews
  readonly waiting: Waiting
  readonly coupons: Coupons
  readonly processes = new Map<string, SimProcess>()
  readonly #leftByForm = new Set<string>()
  readonly witness = new Witness()
  /** The numbers that the profiles showed after the last call. */
  #shown: Arrived['steps'] = new Map()
  /** How often a process was hindered. */
  #troubles = 0
  readonly #refusals: readonly Fault[]
  /** What was tried often may wait for hours when the call after the outage fails, too. */
  #hadOutage = false
  /** What the key may do, and what it could not do at some time: nobody looks at once whether it may again. */
  readonly #scopes: Scope[] = [...allScopes]
  readonly #lostScopes = new Set<Scope>()
  /** Whether Klaviyo refuses what it will take when it is resent. */
  #refusedNow: { remove: () => void } | undefined
  #isHealing = false
  #started = 0
  #asked = 0
  #posts = 0

  readonly database: SimulatedDatabase
  readonly effects: Around
  readonly run: Run

  constructor(
    readonly base: BasePayload,
    { database, effects, run }: Pick<World, 'database' | 'effects' | 'run'>,
  ) {
    this.database = database
    this.effects = effects
    this.run = run
    this.scheduler = new Scheduler(randomFrom(run.seed))
    this.erasures = new Erasures(this)
    this.waiting = new Waiting(this)
    this.coupons = new Coupons(this)
    this.shipments = new Shipments(this)
    this.products = new Products(this)
    this.reviews = new Reviews(this)
    const { random } = this.scheduler
    const says = random.pick(['item', 'data'] as const)
    this.#refusals = [
      { kind: 'poison', marker: 'bad event', says },
      // Klaviyo names the field. The stand-in names the item, which would be the event that took the values along.
      { kind: 'poison', marker: 'bad identify', says: 'data' },
    ]
    this.klaviyo = createKlaviyoStandIn({
      apiKeys: { [demoApiKey]: this.#scopes },
      now: () => startMs + this.scheduler.elapsedMs,
      random: () => random.next(),
      catalogSeconds: run.of === 'shop' ? 0 : jobSeconds,
      wait: (seconds) =>
        new Promise((resolve) => void this.scheduler.after(network, seconds * 1_000, resolve)),
    })
  }

  async play(): Promise<string[]> {
    this.#poison()
    if (this.run.of !== 'shop') await this.waiting.begin()
    if (this.run.steps.some((step) => step.do === 'review')) await this.reviews.begin(people)
    for (const name of processNames) this.#start(name)
    for (const given of this.run.steps) {
      const step = 'person' in given ? { ...given, person: given.person % this.run.people } : given
      if (step.do === 'outage') await this.#outage(step)
      else if (step.do === 'trouble with a call') await this.#troubleWithCall(step)
      else if (step.do === 'scope') await this.#changeScopes(step)
      else if (step.do === 'coupons run out') await this.#runOut(step)
      else await this.#doAndGoOn(step)
    }
    return this.#heal()
  }

  async #doAndGoOn(step: Exclude<Step, TimedStep>): Promise<void> {
    if (step.do === 'back in stock') this.waiting.do(step)
    else if (step.do === 'coupon') this.coupons.do(step)
    else this.#do(step)
    if (step.do === 'wait') await this.scheduler.runFor(step.ms)
    else if (step.do === 'crowd') await this.scheduler.runFor(2 * lookEveryMs)
    else await this.#goOn(this.scheduler.random.between(0, mostBetween))
  }

  /** Lets so many things happen, if there are as many that need no time. */
  async #goOn(turns: number): Promise<void> {
    const { scheduler } = this
    for (let turn = 0; turn < turns && (await scheduler.step(scheduler.elapsedMs)); turn++);
  }

  #start(name: string): void {
    const process = new SimProcess(`${name}${++this.#started}`, this.base, this)
    this.processes.set(name, process)
    if (this.run.of !== 'functions') process.run(() => process.outgoing.delivery.start())
  }

  #do(step: Exclude<Step, WaitingStep | CouponStep | TimedStep>): void {
    if ('kind' in step) return void this.#postStep(step)
    if (step.do === 'resend') return this.#resend(this.processAt(step.at))
    if (step.do === 'leave at Klaviyo') return this.#leave(step)
    if (step.do === 'product') return this.products.do(step)
    if (step.do === 'review') return this.reviews.do(step)
    if (step.do === 'erase') return void this.#erase(step)
    if (step.do === 'order' || step.do === 'pull' || 'order' in step) return this.shipments.do(step)
    if (step.do === 'trouble at Klaviyo') return void this.klaviyo.faults.add(step.fault)
    if (step.do === 'the database') return this.#fail(step)
    if (step.do === 'end of troubles') return this.#endTroubles()
    if (step.do === 'wait') return
    this.#hinder(step)
  }

  /** The erasure comes after the answer to the objection, or at the same time. */
  async #erase(step: ErasureStep): Promise<void> {
    const objected = step.objects && this.#post(step.at, [wishOf(step.person, 'unsubscribe')])
    if (this.scheduler.random.chance(0.5)) await objected
    await this.erasures.do(step)
  }

  #postStep(step: Extract<Step, { kind: string }>): Promise<void> {
    if (step.do === 'post') {
      const kinds = step.kind === 'leaves and returns' ? leavesAndReturns : [step.kind]
      return this.#post(
        step.at,
        kinds.map((kind) => wishOf(step.person, kind)),
      )
    }
    if (step.do === 'post what is refused') {
      this.#refusedNow ??= this.klaviyo.faults.add(refusedNow)
      return this.#post(step.at, [{ ...wishOf(step.person, step.kind), isRefusedAtFirst: true }])
    }
    const { kind, people, poison, at } = step
    const wishes = Array.from({ length: 30 }, (_, place) =>
      wishOf(place % people, kind, place === poison),
    )
    if (poison >= wishes.length) this.klaviyo.faults.add(lostAnswer)
    return this.#post(at, wishes)
  }

  /**
   * What waits because of it goes soon after it, if nothing else is wrong. Others post meanwhile, so what the processes
   * died with is not what ends the outage.
   */
  async #outage({ of, kills, hours, at }: Step & { do: 'outage' }): Promise<void> {
    const { scheduler } = this
    this.#hadOutage = true
    void this.#post(at, [wishOf(0, of)])
    await this.#killInCalls(kills)
    const { remove } = this.klaviyo.faults.add({ kind: 'error', status: 503 })
    void this.#post(
      at,
      people.slice(1).map((other) => wishOf(other, of)),
    )
    for (let sleeps = 0; sleeps < hours * sleepsOfHour; sleeps++) {
      await scheduler.runFor(2 * lookEveryMs)
      this.#sleep(outageSleepMs)
    }
    const before = await this.#waiting()
    remove()
    this.#endTroubles()
    // What has lacked a scope is tried once an hour.
    if (this.run.of === 'functions' || this.#lostScopes.size > 0) return
    await this.#mustEnd(before, (left) => left.map((id) => `late after an outage: ${id}`))
  }

  async #troubleWithCall(step: Step & { do: 'trouble with a call' }): Promise<void> {
    const { write, trouble, isAhead } = step
    const process = this.processAt(deliverer)
    const aim: Aim = {
      of: 'writes',
      about: 'marketing_sends',
      after: 0,
      ...(write === 'result' && { sinceCall: '' }),
    }
    if (isAhead) {
      this.setClock(process, 3_600)
      this.klaviyo.faults.add({ kind: 'error', status: 503, times: 1 })
    }
    this.#troubles += 1
    if (trouble === 'kill') process.strike(aim, () => this.kill(process))
    else if (trouble === 'freeze')
      process.strike(aim, () => this.freeze(process, longerThanLeaseMs))
    else process.databaseTrouble = { trouble, statements: 1, ...aim }
    const known = await this.#waiting()
    void this.#post(step.at, [wishOf(step.person, step.of)])
    await this.scheduler.runFor(2 * lookEveryMs)
    if (trouble === 'kill' || trouble === 'freeze' || this.run.of === 'functions') return
    const own = new Set([...(await this.#waiting())].filter((id) => !known.has(id)))
    this.#endTroubles()
    if (this.#lostScopes.size > 0) return
    // Nobody takes over, so the process itself must find out what became of the call.
    const late = (left: string[]) => left.map((id) => `late after trouble with a call: ${id}`)
    await this.#mustEnd(own, late, () => this.#beSlow())
  }

  /** What is wrong because some of these sends wait must end when another process has taken over, or when time has gone on. */
  async #mustEnd(
    ids: ReadonlySet<string>,
    wrongWith: (left: string[]) => string[],
    goOn: () => void | Promise<void> = () => this.#sleep(),
  ): Promise<void> {
    if ((await this.#wrongAfter(ids, wrongWith)).length === 0) return
    await goOn()
    for (const wrong of await this.#wrongAfter(ids, wrongWith)) this.witness.wrong.add(wrong)
  }

  /** Lets everything happen until nothing is wrong, for as long as it takes to take over. Resolves to what is wrong then. */
  async #wrongAfter(
    ids: ReadonlySet<string>,
    wrongWith: (left: string[]) => string[],
  ): Promise<string[]> {
    const until = this.scheduler.elapsedMs + takeOverMs
    for (;;) {
      const waiting = await this.#waiting()
      const wrong = wrongWith([...ids].filter((id) => waiting.has(id)))
      if (wrong.length === 0 || this.scheduler.elapsedMs >= until) return wrong
      await this.scheduler.runFor(lookEveryMs)
    }
  }

  /** What needs the scope waits for it, and nothing else, if nothing else is wrong. */
  async #changeScopes({ lost, isTested, person, at }: Step & { do: 'scope' }): Promise<void> {
    const { scheduler } = this
    const process = this.processAt(at)
    this.#setScopes(lost)
    if (isTested) process.testKey()
    void this.#post(
      at,
      wishKinds.map((kind) => wishOf(person, kind)),
    )
    await scheduler.runFor(2 * lookEveryMs)
    const before = await this.#waiting()
    this.#endTroubles()
    if (this.run.of === 'functions') return
    await this.#mustEnd(before, (left) => this.model.heldUp(left, this.#lostScopes))
  }

  /** The stock is counted every ten minutes. */
  async #runOut({ after }: RunOutStep): Promise<void> {
    this.klaviyo.state.coupons.give(Infinity)
    this.#sleep(2 * sleepMs)
    await this.#killInCalls(1, after)
  }

  #setScopes(lost?: Scope): void {
    if (lost !== undefined) this.#lostScopes.add(lost)
    this.#scopes.splice(0, Infinity, ...allScopes.filter((scope) => scope !== lost))
  }

  /**
   * Whoever makes the next call dies in it, so many times, if the calls come soon. A call and its answer are two things
   * that may come `after` others.
   */
  async #killInCalls(kills: number, after = 0): Promise<void> {
    const { scheduler } = this
    for (let killed = 0; killed < kills; killed++) {
      const until = scheduler.elapsedMs + longestBetweenKillsMs
      const all = [...this.processes.values()]
      for (const process of all) process.strike({ of: 'calls', after }, () => this.kill(process))
      this.#troubles += 1
      while (scheduler.elapsedMs < until && !all.some(({ isStopped }) => isStopped))
        await scheduler.step(until)
      for (const process of all) process.trap = undefined
    }
  }

  async #waiting(): Promise<Set<string>> {
    const left = await this.#left()
    return new Set([...left].flatMap(([id, state]) => (isWaiting(state) ? id : [])))
  }

  /** Klaviyo takes what it has refused, and a merchant resends it. */
  #resend(process: SimProcess): void {
    const { failures } = process.outgoing
    this.model.hasResent = true
    this.#refusedNow?.remove()
    this.#refusedNow = undefined
    const resend = async () => {
      for (const { reason } of await failures.read())
        if (!isGivenUp(reason)) await failures.resend({ reason })
    }
    process.run(resend).catch(() => undefined)
  }

  /** A failover is such a time, too. */
  #fail({ state, ms }: Step & { do: 'the database' }): void {
    const { gate } = this.database
    gate.state = state
    this.#troubles += 1
    for (const process of this.processes.values()) process.troubles += 1
    this.scheduler.after(network, ms, () => (gate.state = 'works'))
  }

  /** Something happens to a process. */
  #hinder(
    step: Exclude<Step & { at: number }, { person: number } | { kind: string } | TimedStep>,
  ): void {
    const [name, process] = this.#at(step.at)
    if (step.do !== 'stop') this.#troubles += 1
    if (step.do === 'freeze') {
      process.strike(step.aim, () => this.freeze(process, step.ms))
    } else if (step.do === 'kill') {
      process.strike(step.aim, () => this.kill(process))
    } else if (step.do === 'set clock') {
      this.setClock(process, step.seconds)
      if (step.isLast) process.strike(step.aim, () => this.kill(process))
    } else if (step.do === 'trouble at the database') {
      const { trouble, statements, aim } = step
      process.databaseTrouble = { trouble, statements, ...(aim ?? { of: 'anything', after: 0 }) }
    } else {
      process.troubles += 1
      void this.#stop(process)
      this.#start(name)
    }
  }

  setClock(process: SimProcess, seconds: number): void {
    process.troubles += 1
    process.aheadMs += seconds * 1_000
    this.forgotten.clocksAgree = false
    this.shipments.model.marksHold = false
  }

  /** Another process takes its place. */
  kill(process: SimProcess): void {
    if (process.isStopped) return
    this.#troubles += 1
    process.end()
    this.scheduler.forget(process)
    this.database.leave(process)
    for (const [name, one] of this.processes) if (one === process) this.#start(name)
  }

  /** What Klaviyo refuses, it refuses always: the item, or the whole call that has it. */
  #poison(): void {
    for (const fault of this.#refusals) this.klaviyo.faults.add(fault)
  }

  /** Another process takes the lease within a second when nothing else happens. */
  async #stop(process: SimProcess): Promise<void> {
    const { scheduler, witness } = this
    const begunMs = scheduler.elapsedMs
    const isCalm =
      this.run.of !== 'functions' &&
      ![...this.processes.values()].some(isInTrouble) &&
      this.database.gate.state === 'works'
    this.#troubles += 1
    const troubles = this.#troubles
    await process.run(() => process.outgoing.delivery.stop()).catch(() => undefined)
    const hasTakenLong = scheduler.elapsedMs > begunMs + 5_000
    if (!isCalm || hasTakenLong || process.epoch !== (await this.#epoch())) return
    scheduler.after(network, handOverMs, () => {
      if (troubles === this.#troubles && witness.lastEpoch === process.epoch)
        witness.wrong.add(`nobody delivers after ${process.name}`)
    })
  }

  async #epoch(): Promise<number> {
    const [lease] = await this.rows('select epoch from marketing_lease')
    return Number(lease?.epoch)
  }

  freeze(process: SimProcess, ms: number): void {
    process.troubles += 1
    process.isFrozen = true
    this.shipments.model.marksHold = false
    this.scheduler.after(network, ms, () => (process.isFrozen = false))
  }

  processAt(at: number): SimProcess {
    return this.#at(at)[1]
  }

  /** A process by its place; one more than there are means the one that took the lease last. */
  #at(at: number): readonly [string, SimProcess] {
    const all = [...this.processes]
    const chosen =
      all[at] ?? all.toSorted(([, one], [, other]) => (other.epoch ?? 0) - (one.epoch ?? 0))[0]
    if (chosen === undefined) throw new Error('There is no process.')
    return chosen
  }

  /** Resolves when it was answered, or was not stored. */
  #post(at: number, wishes: readonly Omit<Wish, 'id' | 'askedMs'>[]): Promise<void> {
    const process = this.processAt(at)
    if (this.run.of === 'functions') this.#wakeFunction(process)
    return process.run(() => {
      const acceptedAt = new Date()
      const post = ++this.#posts
      const asked = wishes.map((each) => {
        const id = `${each.kind === 'event' ? 'e' : 'm'}${++this.#asked}`
        const wish = { ...each, id, post, askedMs: this.scheduler.elapsedMs }
        return { wish, ends: this.#ask(wish) }
      })
      const sends: NewSend[] = asked.map(({ wish }) => ({
        key: wish.id,
        message: messageOf(wish),
        acceptedAt,
      }))
      return process.outgoing.outbox.store(sends).then(
        () => asked.forEach(({ ends }) => ends.forEach((end) => end())),
        () => undefined,
      )
    })
  }

  /** A request has its host let a process run for some time. */
  #wakeFunction(process: SimProcess): void {
    const { scheduler } = this
    process.isFrozen = false
    scheduler.after(network, scheduler.random.between(0, longestAfterAnswerMs), () => {
      process.troubles += 1
      process.isFrozen = !this.#isHealing
    })
  }

  #ask(wish: Wish): (() => void)[] {
    const ends = [this.model.ask(wish), this.forgotten.begin('visit', wish.person)]
    if (wish.kind !== 'unsubscribe') return ends
    this.#leftByForm.add(wish.person)
    return [...ends, this.forgotten.begin('objection', wish.person)]
  }

  /**
   * Somebody follows the link in a mail. Klaviyo knows only whom it was told of. Within minutes after a form
   * nobody can tell the two apart (`docs/decisions/0010-consent.md`).
   */
  #leave({ person }: Step & { do: 'leave at Klaviyo' }): void {
    const email = emailOf(person)
    const profile = this.klaviyo.state.profileByEmail(email)
    if (profile === undefined || this.#leftByForm.has(email)) return
    // Klaviyo would forget that, too, whenever it deletes the profile.
    if (this.forgotten.hasErasure(email)) return
    // Nobody leaves and comes back within one millisecond.
    this.scheduler.elapsedMs += 1
    this.klaviyo.people.suppress(profile.id, 'UNSUBSCRIBE')
    const id = `l${++this.#asked}`
    this.model.ask({
      id,
      askedMs: this.scheduler.elapsedMs,
      person: email,
      kind: 'unsubscribe',
      isPoison: false,
      isAtKlaviyo: true,
    })()
    this.scheduler.elapsedMs += 1
  }

  #endTroubles(): void {
    this.klaviyo.faults.clear()
    this.#refusedNow = undefined
    this.#poison()
    this.database.gate.state = 'works'
    for (const process of this.processes.values()) {
      process.databaseTrouble = undefined
      process.isFrozen = false
      process.trap = undefined
    }
  }

  /** Everything works again. Resolves to what is wrong when it has had all the time that it may take. */
  async #heal(): Promise<string[]> {
    this.#isHealing = true
    this.#endTroubles()
    this.#setScopes()
    for (const process of this.processes.values()) process.aheadMs = 0
    const { scheduler } = this
    // What the merchant has chosen before is saved by then.
    await scheduler.runFor(lookEveryMs)
    this.products.heal()
    const mostMs = this.#longestHealMs()
    const until = scheduler.elapsedMs + mostMs
    const lateAt = scheduler.elapsedMs + longestWaitMs
    let before = await this.#waiting()
    let sleepAt = scheduler.elapsedMs + sleepsAfterMs
    const isSlow = scheduler.random.chance(isSlowInstead)
    let problems: string[] = []
    while (scheduler.elapsedMs < until) {
      // Somebody opens a page of each process.
      for (const process of this.run.of === 'functions' ? this.processes.values() : [])
        process.run(() => process.outgoing.delivery.answered())
      await scheduler.runFor(lookEveryMs)
      if (this.model.mustResend(await this.#left())) this.#resend(this.processAt(0))
      if (scheduler.elapsedMs >= lateAt) {
        await this.#seeLate(before)
        before = new Set()
      }
      problems = await this.#problems()
      if (problems.length === 0 && scheduler.random.chance(waitsForRepeats)) {
        await scheduler.runFor(repeatsWithinMs)
        problems = await this.#problems()
      }
      if (problems.length === 0) break
      if (scheduler.elapsedMs < sleepAt) continue
      if (isSlow) await this.#beSlow()
      else this.#sleep()
      sleepAt = mostMs > longestWaitMs ? scheduler.elapsedMs + sleepsAfterMs : Infinity
    }
    return problems
  }

  /** Only what a machine saves that is an hour behind takes longer. A send does not. */
  async #seeLate(before: ReadonlySet<string>): Promise<void> {
    if (before.size === 0 || this.#hadOutage || this.#lostScopes.size > 0) return
    const waiting = await this.#waiting()
    for (const id of before) if (waiting.has(id)) this.witness.wrong.add(`late: ${id}`)
  }

  #longestHealMs(): number {
    if (this.#hadOutage) return longestAfterOutageMs
    const isSlow = !this.forgotten.clocksAgree || this.#lostScopes.size > 0
    return isSlow ? longestBehindMs : longestWaitMs
  }

  /** The machine of all processes sleeps. */
  #sleep(ms = sleepMs): void {
    for (const process of this.processes.values()) process.troubles += 1
    this.shipments.model.marksHold = false
    this.scheduler.elapsedMs += ms
  }

  /** As long as a sleep, but nobody loses the lease: nothing that another process would do again hides what is wrong. */
  async #beSlow(): Promise<void> {
    this.shipments.model.marksHold = false
    for (let ms = 0; ms < sleepMs; ms += stallMs) {
      this.scheduler.elapsedMs += stallMs
      await this.scheduler.runFor(1)
    }
  }

  async #problems(): Promise<string[]> {
    const left = await this.#left()
    this.model.look(left)
    const waiting = [...left].filter(([, state]) => isWaiting(state))
    // A merchant may test the key twice within a second.
    const tooMany = this.klaviyo.state.calls.filter(
      ({ name, status, fault }) => status === 429 && !fault && name !== 'account',
    )
    const found = [
      ...this.witness.wrong,
      ...(tooMany.length > 0 ? [`beyond the limits: ${tooMany.length} calls`] : []),
      ...waiting.map(([id, state]) => `still ${state}: ${id}`),
      ...(this.model.mustResend(left) ? ['nobody has resent what Klaviyo takes now'] : []),
    ]
    // Most of the time something waits, and what follows reads every table.
    if (waiting.length === 0) {
      // What Klaviyo carries out late must change nothing any more.
      this.klaviyo.settle()
      found.push(
        ...this.model.problems(this.#arrived(), left),
        ...(await this.waiting.problems()),
        ...(await this.coupons.problems()),
      )
      if (this.run.of === 'shop')
        found.push(
          ...(await this.shipments.problems()),
          ...(await this.products.problems()),
          ...(await this.reviews.problems()),
        )
    }
    return found.length > 0 || this.run.of !== 'shop' ? found : this.erasures.problems(people)
  }

  /** A call of a process, on its way to Klaviyo and back. */
  async fetch(request: Request, process: SimProcess): Promise<Response> {
    const { signal } = request
    const { troubles } = process
    const body = await this.scheduler.meanwhile(request.clone().text())
    const events = eventsOf(body)
    if (!process.isTesting) this.witness.calls(process, await this.#epoch(), events)
    const given = new Promise<never>((_, reject) => {
      const abort = () => reject(signal.reason as Error)
      if (signal.aborted) abort()
      else signal.addEventListener('abort', abort)
    })
    given.catch(() => undefined)
    const answer = async () => {
      const { klaviyo, scheduler } = this
      process.isTrapped('calls', pathOf(request))
      const label = `to Klaviyo: ${pathOf(request)}`
      await scheduler.pass(process, { label, run: () => undefined, isUnderWay: true })
      const isKnown = pathOf(request) === subscribePath && this.forgotten.clocksAgree
      const subscribed = isKnown ? this.#arrived().subscribed : undefined
      for (const [, email = ''] of body.matchAll(/"email":"([^"]*)"/g)) {
        if (subscribed?.has(email)) this.witness.wrong.add(`subscribed again: ${email}`)
      }
      const response = await klaviyo.handle(request)
      if (response.ok) {
        this.erasures.hear(pathOf(request), body)
        this.reviews.hear(body)
      }
      const steps = this.#steps()
      const takenBack = this.forgotten.clocksAgree ? this.model.changed(this.#shown, steps) : []
      takenBack.forEach((problem) => this.witness.wrong.add(problem))
      this.#shown = steps
      const isWhole = response.ok && klaviyo.state.calls.at(-1)?.fault === undefined
      process.hears(pathOf(request))
      process.isTrapped('calls', pathOf(request))
      await scheduler.pass(process, { label: 'from Klaviyo', run: () => undefined })
      if (isWhole && troubles === process.troubles) this.witness.answered(process, events)
      return response
    }
    return Promise.race([answer(), given])
  }

  /** Reads past all processes. */
  rows(statement: string): Promise<Row[]> {
    return this.scheduler.meanwhile(Promise.resolve(this.database.rows(statement)))
  }

  #arrived(): Arrived {
    const { state } = this.klaviyo
    const emails = new Map(
      [...state.profiles.values()].map(({ id, attributes }) => [id, attributes.email ?? '']),
    )
    return {
      events: state.events
        .filter(({ metric }) => metric === 'Simulated')
        .map(({ uniqueId, profile }) => ({ id: uniqueId, person: emails.get(profile) ?? '' })),
      steps: this.#steps(),
      subscriptions: state.effects
        .filter(({ kind }) => kind === 'subscribe')
        .map(({ profile }) => emails.get(profile) ?? ''),
      subscribed: new Set(
        [...state.profiles.values()]
          .filter(({ consent }) => consent.email?.status === 'SUBSCRIBED')
          .map(({ attributes }) => attributes.email ?? ''),
      ),
    }
  }

  /** The number that each profile shows. */
  #steps(): Arrived['steps'] {
    const steps = new Map<string, number>()
    for (const { attributes, properties } of this.klaviyo.state.profiles.values()) {
      steps.set(attributes.email ?? '', Number(properties.step))
    }
    return steps
  }

  async #left(): Promise<Left> {
    const state = "trim(cast(state as text) || ' ' || coalesce(error_code, ''))"
    const rows = await this.rows(`select "key", ${state} as state from marketing_sends`)
    return new Map(rows.map((row) => [String(row.key), String(row.state)]))
  }
}

const isInTrouble = (process: SimProcess): boolean =>
  process.isFrozen ||
  process.databaseTrouble !== undefined ||
  process.trap !== undefined ||
  process.scheduler.elapsedMs < process.failedMs + errorWaitMs

const isWaiting = (state: string): boolean => /^(queued|sending)/.test(state)

const subscribePath = '/api/profile-subscription-bulk-create-jobs'
const pathOf = ({ url }: Request): string => new URL(url).pathname

/** The ids of the events in a call. */
const eventsOf = (body: string): string[] =>
  [...body.matchAll(/"unique_id":"(e\d+)"/g)].map(([, id = '']) => id)

const wishOf = (person: number, kind: Wish['kind'], isPoison = false) => ({
  person: emailOf(person),
  kind,
  isPoison,
})

function messageOf({ id, person: email, kind, isPoison, isRefusedAtFirst }: Wish): Message {
  const properties = { step: stepOf(id) }
  const marked = {
    ...properties,
    ...(isPoison && { note: `bad ${kind}` }),
    // Another property: a newer value of the same one would mend what Klaviyo always refuses.
    ...(isRefusedAtFirst && { wish: refusedNow.marker ?? '' }),
  }
  if (kind === 'event') {
    return {
      kind,
      profile: { email, properties },
      event: { name: 'Simulated', uniqueId: id, properties: marked },
    }
  }
  if (kind === 'identify') return { kind, profile: { email, properties: marked } }
  const profile = { email }
  return kind === 'subscribe'
    ? { kind, profile, list: 'WELCOME', channels: ['email'], basis: 'explicit' }
    : { kind, profile, channels: ['email'] }
}
