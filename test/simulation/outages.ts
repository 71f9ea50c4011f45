import { people } from './people.js'
import { wishOf } from './posts.js'
import { lookEveryMs } from './sends.js'
import type { World } from './world.js'

/** So many processes die one after the other, in calls with what one person posts. Then Klaviyo is away for hours. */
export interface OutageStep {
  do: 'outage'
  of: 'event' | 'identify' | 'subscribe'
  kills: number
  hours: number
  at: number
}

/** During an outage the machine wakes up so often. A look without need is what takes most of a run. */
const sleepsOfHour = 4
const sleepMs = (60 * 60_000) / sleepsOfHour

export class Outages {
  /** What was tried often may wait for hours when the call after the outage fails, too. */
  hadOne = false

  constructor(readonly world: World) {}

  /**
   * What waits because of it goes soon after it, if nothing else is wrong. Others post meanwhile, so what the processes
   * died with is not what ends the outage.
   */
  async play({ of, kills, hours, at }: OutageStep): Promise<void> {
    const { klaviyo, posts, processes, run, scheduler, scopes, sends } = this.world
    this.hadOne = true
    void posts.post(at, [wishOf(0, of)])
    await processes.killInCalls(kills)
    const { remove } = klaviyo.faults.add({ kind: 'error', status: 503 })
    void posts.post(
      at,
      people.slice(1).map((other) => wishOf(other, of)),
    )
    for (let sleeps = 0; sleeps < hours * sleepsOfHour; sleeps++) {
      await scheduler.runFor(2 * lookEveryMs)
      this.world.sleep(sleepMs)
    }
    const before = await sends.waiting()
    remove()
    this.world.endTroubles()
    // What has lacked a scope is tried once an hour.
    if (run.of === 'functions' || scopes.lost.size > 0) return
    await sends.mustEnd(before, (left) => left.map((id) => `late after an outage: ${id}`))
  }
}
