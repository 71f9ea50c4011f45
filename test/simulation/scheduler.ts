import type { Random } from '../../dev/seed/random.ts'

/** Something that a process waits for: a statement, a request on its way, an answer on its way back. */
export interface Waiting<Result> {
  label: string
  run: () => Promise<Result> | Result
  /** It happens although its process is gone: the request has left. */
  isUnderWay?: boolean
  /** Whether it has begun and waits for what somebody else has to do. Resolves when that is known. */
  isStuck?: () => Promise<boolean>
}

interface Stuck {
  owner: Owner
  isStuck: () => Promise<boolean>
  /** Its answer is on its way. */
  goOn: () => void
}

interface Pending extends Waiting<void> {
  owner: Owner
}

interface Timer {
  owner: Owner
  at: number
  /** Timers that are due at the same moment go off in their order. */
  order: number
  callback: () => void
}

/** Whose work it is. */
export interface Owner {
  name: string
  /** It never does anything again. */
  isStopped: boolean
  /** It does nothing until it is woken up. */
  isFrozen: boolean
}

/** What is between the processes and the world. It is never stopped. */
export const network: Owner = { name: 'network', isStopped: false, isFrozen: false }

/**
 * Decides what happens next, from the seed alone. Whatever leaves the code under test waits here until it is
 * let through, one at a time; time goes on only when nothing else can.
 */
export class Scheduler {
  /** Milliseconds since the beginning. */
  elapsedMs = 0
  /** What was let through, in order. Two runs of one seed have the same. */
  readonly trace: string[] = []
  readonly #pending: Pending[] = []
  #stuck: Stuck[] = []
  readonly #timers = new Set<Timer>()
  #timersMade = 0
  #activity = 0
  #outside = 0

  constructor(readonly random: Random) {}

  /** Resolves to what `run` resolves to, when its turn has come. Never, when its owner is stopped before. */
  pass<Result>(owner: Owner, { run, ...waiting }: Waiting<Result>): Promise<Result> {
    this.#activity += 1
    return new Promise<Result>((resolve) => {
      const go = async () => {
        const done = Promise.resolve().then(run)
        const ended = done.then(
          () => false,
          () => false,
        )
        const { isStuck = () => ended } = waiting
        if (await Promise.race([ended, isStuck()])) {
          const answer = { label: `${waiting.label} goes on`, owner, run: () => resolve(done) }
          this.#stuck.push({ owner, isStuck, goOn: () => void this.#pending.push(answer) })
          return
        }
        resolve(done)
        await ended
      }
      this.#pending.push({ ...waiting, owner, run: go })
    })
  }

  /** Calls back `ms` virtual milliseconds from now. Returns what takes that back. */
  after(owner: Owner, ms: number, callback: () => void): () => void {
    this.#activity += 1
    const timer = {
      owner,
      at: this.elapsedMs + Math.max(0, ms),
      order: ++this.#timersMade,
      callback,
    }
    this.#timers.add(timer)
    return () => void this.#timers.delete(timer)
  }

  /** Lets one thing happen, chosen by the seed, or time go on to the next timer. False: nothing is left until then. */
  async step(until: number): Promise<boolean> {
    await this.#settled()
    const able = this.#pending.filter(
      ({ owner, isUnderWay }) => isUnderWay || (!owner.isStopped && !owner.isFrozen),
    )
    if (able.length > 0) {
      const chosen = this.random.pick(able)
      this.#pending.splice(this.#pending.indexOf(chosen), 1)
      this.trace.push(`${this.elapsedMs} ${chosen.owner.name} ${chosen.label}`)
      await chosen.run()
      await this.#freeStuck()
      return true
    }
    const next = this.#nextTimer()
    if (next === undefined || next.at > until) {
      this.elapsedMs = Math.max(this.elapsedMs, until)
      return false
    }
    // A process that was frozen finds its timers due.
    this.elapsedMs = Math.max(this.elapsedMs, next.at)
    this.#timers.delete(next)
    next.callback()
    return true
  }

  /** Lets everything happen for so long. */
  async runFor(ms: number): Promise<void> {
    const until = this.elapsedMs + ms
    while (await this.step(until));
  }

  /** Nothing else happens until this work outside of the simulation is done. */
  async meanwhile<Result>(work: Promise<Result>): Promise<Result> {
    this.#outside += 1
    try {
      return await work
    } finally {
      this.#outside -= 1
      this.#activity += 1
    }
  }

  /** What a stopped process waited for never happens. What is under way does. */
  forget(owner: Owner): void {
    for (const timer of this.#timers) if (timer.owner === owner) this.#timers.delete(timer)
    const left = this.#pending.filter((one) => one.owner !== owner || one.isUnderWay)
    this.#pending.splice(0, this.#pending.length, ...left)
    this.#stuck = this.#stuck.filter((one) => one.owner !== owner)
  }

  /** Who has got what it waited for goes on. */
  async #freeStuck(): Promise<void> {
    for (const one of this.#stuck) {
      if (await one.isStuck()) continue
      this.#stuck = this.#stuck.filter((other) => other !== one)
      one.goOn()
    }
  }

  #nextTimer(): Timer | undefined {
    let next: Timer | undefined
    for (const timer of this.#timers) {
      if (timer.owner.isStopped || timer.owner.isFrozen) continue
      if (next && (timer.at > next.at || (timer.at === next.at && timer.order > next.order)))
        continue
      next = timer
    }
    return next
  }

  /**
   * Resolves when the code under test waits for nothing but this scheduler. A notice lets two turns of the event loop
   * pass before it begins.
   */
  async #settled(): Promise<void> {
    for (let quiet = 0; quiet < 4; quiet++) {
      const before = this.#activity
      await new Promise((resolve) => void setImmediate(resolve))
      if (this.#activity !== before || this.#outside > 0) quiet = -1
    }
  }
}
