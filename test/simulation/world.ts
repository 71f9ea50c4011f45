import type { BasePayload } from 'payload'
import { createKlaviyoStandIn, demoApiKey } from '../../dev/klaviyo/stand-in.ts'
import { randomFrom } from '../../dev/seed/random.ts'
import type { Around } from '../../src/core/shop.js'
import { Products } from './catalog.js'
import { Coupons } from './coupons.js'
import { ErasuresModel } from './erasures-model.js'
import { Erasures } from './erasures.js'
import { startMs, type Row, type SimulatedDatabase } from './gate.js'
import { KlaviyoCalls } from './klaviyo-calls.js'
import { Model, Moments } from './model.js'
import { Outages } from './outages.js'
import { people } from './people.js'
import { Posts } from './posts.js'
import { isOfProcess, Processes } from './processes.js'
import { Reviews } from './reviews.js'
import { network, Scheduler } from './scheduler.js'
import { Scopes } from './scopes.js'
import { isWaiting, lookEveryMs, Sends } from './sends.js'
import { Shipments } from './shipments.js'
import type { Run, Step } from './step.js'
import { TroubledCalls } from './troubled-calls.js'
import { Waiting } from './waiting.js'
import { Witness } from './witness.js'

/** How many let-through things there are between two steps, at most. */
const mostBetween = 12
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
/** A process may end while Klaviyo works on a job. */
const jobSeconds = 2

/** What happens to the shop in one run. */
export class World {
  readonly database: SimulatedDatabase
  readonly effects: Around
  readonly run: Run
  readonly scheduler: Scheduler
  readonly klaviyo

  readonly moments = new Moments()
  readonly forgotten = new ErasuresModel(this.moments)
  readonly model = new Model(this.moments, this.forgotten)
  readonly witness = new Witness()

  readonly processes = new Processes(this)
  readonly calls = new KlaviyoCalls(this)
  readonly sends = new Sends(this)
  readonly scopes = new Scopes(this)
  readonly outages = new Outages(this)
  readonly troubledCalls = new TroubledCalls(this)
  readonly posts: Posts
  readonly waiting: Waiting
  readonly coupons: Coupons
  readonly shipments: Shipments
  readonly erasures: Erasures
  readonly products: Products
  readonly reviews: Reviews

  constructor(
    readonly base: BasePayload,
    { database, effects, run }: Pick<World, 'database' | 'effects' | 'run'>,
  ) {
    this.database = database
    this.effects = effects
    this.run = run
    this.scheduler = new Scheduler(randomFrom(run.seed))
    this.posts = new Posts(this)
    this.waiting = new Waiting(this)
    this.coupons = new Coupons(this)
    this.shipments = new Shipments(this)
    this.erasures = new Erasures(this)
    this.products = new Products(this)
    this.reviews = new Reviews(this)
    this.klaviyo = createKlaviyoStandIn({
      apiKeys: { [demoApiKey]: this.scopes.now },
      now: () => startMs + this.scheduler.elapsedMs,
      random: () => this.scheduler.random.next(),
      catalogSeconds: run.of === 'shop' ? 0 : jobSeconds,
      wait: (seconds) =>
        new Promise((resolve) => void this.scheduler.after(network, seconds * 1_000, resolve)),
    })
  }

  async play(): Promise<string[]> {
    this.posts.refuse()
    if (this.run.of !== 'shop') await this.waiting.begin()
    if (this.run.steps.some((step) => step.do === 'review')) await this.reviews.begin(people)
    this.processes.begin()
    for (const step of this.run.steps)
      await this.#play('person' in step ? { ...step, person: step.person % this.run.people } : step)
    return this.#heal()
  }

  /** Some steps take time of their own. After the others a few things happen before the next one. */
  async #play(step: Step): Promise<void> {
    if (step.do === 'outage') return this.outages.play(step)
    if (step.do === 'trouble with a call') return this.troubledCalls.play(step)
    if (step.do === 'scope') return this.scopes.play(step)
    if (step.do === 'coupons run out') return this.coupons.runOut(step)
    if (step.do === 'wait') return this.scheduler.runFor(step.ms)
    this.#do(step)
    if (step.do === 'crowd') return this.scheduler.runFor(2 * lookEveryMs)
    await this.#goOn(this.scheduler.random.between(0, mostBetween))
  }

  /** Lets so many things happen, if there are as many that need no time. */
  async #goOn(turns: number): Promise<void> {
    const { scheduler } = this
    for (let turn = 0; turn < turns && (await scheduler.step(scheduler.elapsedMs)); turn++);
  }

  #do(
    step: Exclude<
      Step,
      { do: 'outage' | 'trouble with a call' | 'scope' | 'coupons run out' | 'wait' }
    >,
  ): void {
    if (isOfProcess(step)) return this.processes.do(step)
    switch (step.do) {
      case 'back in stock':
        return this.waiting.do(step)
      case 'coupon':
        return this.coupons.do(step)
      case 'product':
        return this.products.do(step)
      case 'review':
        return this.reviews.do(step)
      case 'erase':
        return void this.erasures.do(step)
      case 'order':
      case 'pull':
      case 'ship':
      case 'admin saves':
        return this.shipments.do(step)
      case 'trouble at Klaviyo':
        return void this.klaviyo.faults.add(step.fault)
      case 'the database':
        return this.#fail(step)
      case 'end of troubles':
        return this.endTroubles()
      default:
        return this.posts.do(step)
    }
  }

  /** A failover is such a time, too. */
  #fail({ state, ms }: Step & { do: 'the database' }): void {
    const { gate } = this.database
    gate.state = state
    this.processes.trouble()
    for (const process of this.processes.all) process.troubles += 1
    this.scheduler.after(network, ms, () => (gate.state = 'works'))
  }

  endTroubles(): void {
    this.klaviyo.faults.clear()
    this.posts.refuse()
    this.database.gate.state = 'works'
    this.processes.endTroubles()
  }

  /** Everything works again. Resolves to what is wrong when it has had all the time that it may take. */
  async #heal(): Promise<string[]> {
    const { processes, scheduler, sends } = this
    processes.areKept = true
    this.endTroubles()
    this.scopes.set()
    for (const process of processes.all) process.aheadMs = 0
    // What the merchant has chosen before is saved by then.
    await scheduler.runFor(lookEveryMs)
    this.products.heal()
    const mostMs = this.#longestHealMs()
    const until = scheduler.elapsedMs + mostMs
    const lateAt = scheduler.elapsedMs + longestWaitMs
    let before = await sends.waiting()
    let sleepAt = scheduler.elapsedMs + sleepsAfterMs
    const isSlow = scheduler.random.chance(isSlowInstead)
    let problems: string[] = []
    while (scheduler.elapsedMs < until) {
      // Somebody opens a page of each process.
      for (const process of this.run.of === 'functions' ? processes.all : [])
        process.run(() => process.outgoing.delivery.answered())
      await scheduler.runFor(lookEveryMs)
      if (this.model.mustResend(await sends.left())) this.posts.resend(processes.at(0))
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
      if (isSlow) await this.beSlow()
      else this.sleep()
      sleepAt = mostMs > longestWaitMs ? scheduler.elapsedMs + sleepsAfterMs : Infinity
    }
    return problems
  }

  /** Only what a machine saves that is an hour behind takes longer. A send does not. */
  async #seeLate(before: ReadonlySet<string>): Promise<void> {
    if (before.size === 0 || this.outages.hadOne || this.scopes.lost.size > 0) return
    const waiting = await this.sends.waiting()
    for (const id of before) if (waiting.has(id)) this.witness.wrong.add(`late: ${id}`)
  }

  #longestHealMs(): number {
    if (this.outages.hadOne) return longestAfterOutageMs
    const isSlow = !this.forgotten.clocksAgree || this.scopes.lost.size > 0
    return isSlow ? longestBehindMs : longestWaitMs
  }

  /** The machine of all processes sleeps. */
  sleep(ms = sleepMs): void {
    for (const process of this.processes.all) process.troubles += 1
    this.shipments.model.marksHold = false
    this.scheduler.elapsedMs += ms
  }

  /** As long as a sleep, but nobody loses the lease: nothing that another process would do again hides what is wrong. */
  async beSlow(): Promise<void> {
    this.shipments.model.marksHold = false
    for (let ms = 0; ms < sleepMs; ms += stallMs) {
      this.scheduler.elapsedMs += stallMs
      await this.scheduler.runFor(1)
    }
  }

  async #problems(): Promise<string[]> {
    const left = await this.sends.left()
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
        ...this.model.problems(this.calls.arrived(), left),
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

  /** Reads past all processes. */
  rows(statement: string): Promise<Row[]> {
    return this.scheduler.meanwhile(Promise.resolve(this.database.rows(statement)))
  }
}
