import { wishOf } from './posts.js'
import { lookEveryMs } from './sends.js'
import type { Aim, DatabaseTrouble } from './sim-process.js'
import type { World } from './world.js'

/**
 * Somebody posts, and whoever delivers cannot write the `mark` of the call or its `result`, does not know whether it has,
 * dies with that, or stands still until another has taken over. Its clock may be an hour ahead, and then the call fails,
 * so that something is put off by that clock.
 */
export interface CallTroubleStep {
  do: 'trouble with a call'
  person: number
  of: 'event' | 'identify'
  write: 'mark' | 'result'
  trouble: DatabaseTrouble | 'kill' | 'freeze'
  isAhead: boolean
  at: number
}

/** Another process takes over meanwhile. */
const longerThanLeaseMs = 12_000
const hourSeconds = 3_600

export class TroubledCalls {
  constructor(readonly world: World) {}

  async play(step: CallTroubleStep): Promise<void> {
    const { posts, run, scheduler, scopes, sends } = this.world
    const { person, of, at, trouble } = step
    this.#trouble(step)
    const known = await sends.waiting()
    void posts.post(at, [wishOf(person, of)])
    await scheduler.runFor(2 * lookEveryMs)
    if (trouble === 'kill' || trouble === 'freeze' || run.of === 'functions') return
    const own = new Set([...(await sends.waiting())].filter((id) => !known.has(id)))
    this.world.endTroubles()
    if (scopes.lost.size > 0) return
    // Nobody takes over, so the process itself must find out what became of the call.
    const late = (left: string[]) => left.map((id) => `late after trouble with a call: ${id}`)
    await sends.mustEnd(own, late, () => this.world.beSlow())
  }

  #trouble({ write, trouble, isAhead }: CallTroubleStep): void {
    const { klaviyo, processes } = this.world
    const process = processes.deliverer
    const aim: Aim = {
      of: 'writes',
      about: 'marketing_sends',
      after: 0,
      ...(write === 'result' && { sinceCall: '' }),
    }
    if (isAhead) {
      processes.setClock(process, hourSeconds)
      klaviyo.faults.add({ kind: 'error', status: 503, times: 1 })
    }
    processes.trouble()
    if (trouble === 'kill') process.strike(aim, () => processes.kill(process))
    else if (trouble === 'freeze')
      process.strike(aim, () => processes.freeze(process, longerThanLeaseMs))
    else process.databaseTrouble = { trouble, statements: 1, ...aim }
  }
}
