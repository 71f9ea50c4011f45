import { network } from './scheduler.js'
import {
  deliverer,
  processNames,
  SimProcess,
  type Aim,
  type DatabaseTrouble,
} from './sim-process.js'
import type { World } from './world.js'

type Aimed = { at: number; aim?: Aim | undefined }

/** Something happens to a process. */
export type ProcessStep =
  | { do: 'stop'; at: number }
  | ({ do: 'kill' } & Aimed)
  | ({ do: 'freeze'; ms: number } & Aimed)
  /** It may be the last thing that happens to a process, which is killed then. */
  | ({ do: 'set clock'; seconds: number; isLast?: boolean } & Aimed)
  | ({ do: 'trouble at the database'; trouble: DatabaseTrouble; statements: number } & Aimed)

const ofProcess: readonly string[] = [
  'stop',
  'kill',
  'freeze',
  'set clock',
  'trouble at the database',
] satisfies ProcessStep['do'][]

export const isOfProcess = <Other extends { do: string }>(
  step: ProcessStep | Other,
): step is ProcessStep => ofProcess.includes(step.do)

/** A process looks at the lease each second. */
const handOverMs = 2_000
/** A stop that takes longer tells nothing of the lease. */
const longestStopMs = 5_000
/** A process that has seen the database fail looks again after this time at the latest. */
const errorWaitMs = 35_000
/** A host may stop a process as soon as it has answered, or when it likes. */
const longestAfterAnswerMs = 5_000
const longestBetweenKillsMs = 30_000

/** The processes of the shop. Another one takes the place of whichever is gone. */
export class Processes {
  readonly #byName = new Map<string, SimProcess>()
  /** How often one was hindered. */
  #troubles = 0
  #started = 0
  /** Whether a host keeps them running. */
  areKept = false

  constructor(readonly world: World) {}

  get all(): readonly SimProcess[] {
    return [...this.#byName.values()]
  }

  begin(): void {
    for (const name of processNames) this.#start(name)
  }

  /** A process by its place; one more than there are means the one that took the lease last. */
  at(at: number): SimProcess {
    const { all } = this
    const chosen = all[at] ?? all.toSorted((one, other) => (other.epoch ?? 0) - (one.epoch ?? 0))[0]
    if (chosen === undefined) throw new Error('There is no process.')
    return chosen
  }

  get deliverer(): SimProcess {
    return this.at(deliverer)
  }

  #start(name: string): void {
    const process = new SimProcess(`${name}${++this.#started}`, this.world.base, this.world)
    this.#byName.set(name, process)
    if (this.world.run.of !== 'functions') process.run(() => process.outgoing.delivery.start())
  }

  #replace(process: SimProcess): void {
    for (const [name, one] of this.#byName) if (one === process) this.#start(name)
  }

  /** Something is wrong from now on, so nothing is promised of who takes over. */
  trouble(): void {
    this.#troubles += 1
  }

  do(step: ProcessStep): void {
    const process = this.at(step.at)
    if (step.do !== 'stop') this.trouble()
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
      this.#replace(process)
    }
  }

  setClock(process: SimProcess, seconds: number): void {
    process.troubles += 1
    process.aheadMs += seconds * 1_000
    this.world.forgotten.clocksAgree = false
    this.world.shipments.model.marksHold = false
  }

  kill(process: SimProcess): void {
    if (process.isStopped) return
    this.trouble()
    process.end()
    this.world.scheduler.forget(process)
    this.world.database.leave(process)
    this.#replace(process)
  }

  freeze(process: SimProcess, ms: number): void {
    process.troubles += 1
    process.isFrozen = true
    this.world.shipments.model.marksHold = false
    this.world.scheduler.after(network, ms, () => (process.isFrozen = false))
  }

  /**
   * Whoever makes the next call dies in it, so many times, if the calls come soon. A call and its answer are two things
   * that may come `after` others.
   */
  async killInCalls(kills: number, after = 0): Promise<void> {
    const { scheduler } = this.world
    for (let killed = 0; killed < kills; killed++) {
      const until = scheduler.elapsedMs + longestBetweenKillsMs
      const { all } = this
      for (const process of all) process.strike({ of: 'calls', after }, () => this.kill(process))
      this.trouble()
      while (scheduler.elapsedMs < until && !all.some(({ isStopped }) => isStopped))
        await scheduler.step(until)
      for (const process of all) process.trap = undefined
    }
  }

  /** Another process takes the lease within a second when nothing else happens. */
  async #stop(process: SimProcess): Promise<void> {
    const { scheduler, witness, run, database } = this.world
    const begunMs = scheduler.elapsedMs
    const isCalm =
      run.of !== 'functions' && !this.all.some(isInTrouble) && database.gate.state === 'works'
    this.trouble()
    const troubles = this.#troubles
    await process.run(() => process.outgoing.delivery.stop()).catch(() => undefined)
    const hasTakenLong = scheduler.elapsedMs > begunMs + longestStopMs
    if (!isCalm || hasTakenLong || process.epoch !== (await this.epoch())) return
    scheduler.after(network, handOverMs, () => {
      if (troubles === this.#troubles && witness.lastEpoch === process.epoch)
        witness.wrong.add(`nobody delivers after ${process.name}`)
    })
  }

  /** Of the newest lease. */
  async epoch(): Promise<number> {
    const [lease] = await this.world.rows('select epoch from marketing_lease')
    return Number(lease?.epoch)
  }

  /** A request has its host let a process run for some time. */
  wakeFunction(process: SimProcess): void {
    const { scheduler } = this.world
    process.isFrozen = false
    scheduler.after(network, scheduler.random.between(0, longestAfterAnswerMs), () => {
      process.troubles += 1
      process.isFrozen = !this.areKept
    })
  }

  endTroubles(): void {
    for (const process of this.all) {
      process.databaseTrouble = undefined
      process.isFrozen = false
      process.trap = undefined
    }
  }
}

const isInTrouble = (process: SimProcess): boolean =>
  process.isFrozen ||
  process.databaseTrouble !== undefined ||
  process.trap !== undefined ||
  process.scheduler.elapsedMs < process.failedMs + errorWaitMs
