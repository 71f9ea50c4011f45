import type { Scheduler, Waiting } from './scheduler.js'
import { running, type DatabaseTrouble, type SimProcess } from './sim-process.js'

/** When the simulation begins. */
export const startMs = Date.UTC(2026, 10, 2, 10)

/** The share of statements whose answer has a way of its own. */
const lateAnswers = 0.2

/** The moment on the database's clock, which nobody sets. */
export const databaseTime = ({ elapsedMs }: Scheduler): Date => new Date(startMs + elapsedMs)

export type Row = Record<string, unknown>

/** The database of all processes. */
export interface SimulatedDatabase {
  gate: Gate
  tables: readonly string[]
  /** Reads past all processes. */
  rows(statement: string): Promise<Row[]> | Row[]
  /** Undoes what a process that is gone has begun. */
  leave(process: SimProcess): void
  /** Deletes all rows. */
  clear(): Promise<void> | void
  close(): Promise<void> | void
}

interface Statement<Result> extends Pick<Waiting<Result>, 'label' | 'isStuck'> {
  text: string
  run: (process: SimProcess) => Promise<Result> | Result
  /** The connection is lost. */
  onLost?: () => void
  onRefused?: () => void
}

/** Has each statement of a process wait for its turn, and fail when it is time for that. */
export class Gate {
  /** Of the whole database. `is full` refuses what writes. */
  state: 'works' | 'is full' | 'is away' = 'works'

  async pass<Result>({ label, isStuck, text, run, ...on }: Statement<Result>): Promise<Result> {
    const process = running.getStore()
    if (process === undefined) throw new Error('This statement belongs to no process.')
    const { scheduler } = process
    const doing = writes.test(text) ? 'writes' : 'reads'
    let trouble: DatabaseTrouble | undefined
    const lose = () => {
      on.onLost?.()
      process.failedMs = scheduler.elapsedMs
      if (text === 'commit') process.lostCommits += 1
    }
    const result = await scheduler.pass(process, {
      label,
      ...(isStuck && { isStuck }),
      run: () => {
        trouble = process.nextTrouble(doing, text) ?? this.#refusal(text)
        if (trouble !== 'refuses') return run(process)
        lose()
        on.onRefused?.()
        throw Object.assign(new Error('The database refuses.'), { code: 'SQLITE_BUSY' })
      },
    })
    // The database has done it, and the process does not know it yet.
    if (process.isTrapped(doing, text) || scheduler.random.chance(lateAnswers)) {
      await scheduler.pass(process, { label: `the answer to ${label}`, run: () => undefined })
    }
    if (trouble !== 'drops the answer') return result
    lose()
    throw new Error('The connection is gone.')
  }

  #refusal(text: string): DatabaseTrouble | undefined {
    if (this.state === 'works' || (this.state === 'is full' && !writes.test(text))) return undefined
    return 'refuses'
  }
}

const writes = /\b(?:insert|update)\b/i
