import type { MarketingSettings } from '../settings/marketing-settings.js'
import { createCallBudget, type CallPause } from './call-budget.js'
import type { DeliveryParts } from './delivery-parts.js'
import { createEventLane } from './event-lane.js'
import { createImportJobs } from './import-jobs.js'
import type { LaneParts } from './lane.js'
import { createListAddLane } from './list-add-lane.js'
import { createPlatformCalls } from './platform-call.js'
import { createProfileLane } from './profile-lane.js'
import { createSubscriptionLane } from './subscription-lane.js'
import { createUpkeep } from './upkeep.js'
import { runsAtOnce, type Worker } from './worker.js'

export interface PassResult {
  didWork: boolean
  /** When to look again; undefined when nothing waits. */
  nextAt: Date | undefined
}

export interface DeliveryStatus {
  /** Why there is no key; undefined when there is one. */
  keyProblem: MarketingSettings['keyProblem']
  /** Calls that are not made at the moment, and why: `PauseReason`. */
  pauses: CallPause[]
}

/** Brings waiting sends to the platform. Has no timers: whoever runs it says when. */
export interface Drain {
  /** Does what can be done now. */
  pass(): Promise<PassResult>
  /** The parts of a pass, for a loop that runs them side by side. */
  workers: readonly Worker[]
  status(): Promise<DeliveryStatus>
}

export function createDrain(parts: DeliveryParts): Drain {
  const { outbox, callLogs, platform, settings, log, clock } = parts
  const random = parts.random ?? Math.random
  const deadline = parts.deadline ?? ((ms) => AbortSignal.timeout(ms))
  const { bounds } = platform
  const budget = createCallBudget({ callLogs, bounds, clock, random, log })
  const calls = createPlatformCalls({ budget, clock, log, deadline })

  const apiKey = async (): Promise<string | undefined> => {
    const { privateApiKey } = await settings.marketing()
    return privateApiKey === '' ? undefined : privateApiKey
  }

  const laneParts: LaneParts = { outbox, budget, calls, bounds, clock, random, apiKey }
  const lanes = [
    createEventLane(platform, laneParts),
    createProfileLane(platform, laneParts),
    createListAddLane(platform, laneParts),
    createSubscriptionLane(platform, laneParts),
    createImportJobs(platform, { ...laneParts, log }),
  ]
  const failedBefore = (worker: Worker) => (error: unknown) =>
    log.error({ err: error, part: worker.name }, 'The delivery failed, and goes on')
  const before = [createUpkeep({ outbox, clock, settings }), ...(parts.makers ?? [])]
  return {
    workers: [...before, ...lanes],
    async pass() {
      // What they have to tell can wait for the next pass; what is stored already must not.
      for (const worker of before) await runToEnd(worker).catch(failedBefore(worker))
      const results = await Promise.all(lanes.map(runToEnd))
      const moments = results.flatMap(({ nextAt }) => (nextAt ? [nextAt.getTime()] : []))
      return {
        didWork: results.some(({ didWork }) => didWork),
        nextAt: moments.length === 0 ? undefined : new Date(Math.min(...moments)),
      }
    },
    async status() {
      const { keyProblem, privateApiKey } = await settings.marketing()
      return { keyProblem, pauses: await budget.pauses(privateApiKey) }
    },
  }
}

/** Runs a worker until it has nothing to do now. */
async function runToEnd(worker: Worker): Promise<PassResult> {
  const running = new Set<Promise<void>>()
  const failures: unknown[] = []
  let didWork = false
  for (;;) {
    const mayBegin = running.size < runsAtOnce && failures.length === 0
    const step = mayBegin ? await worker.next() : { nextAt: undefined }
    if ('run' in step) {
      didWork = true
      const ended: Promise<void> = step
        .run()
        .catch((error: unknown) => void failures.push(error))
        .finally(() => running.delete(ended))
      running.add(ended)
    } else if (running.size > 0) {
      await Promise.race(running)
    } else if (failures.length > 0) {
      throw new AggregateError(failures, `The delivery's part "${worker.name}" failed.`)
    } else {
      return { didWork, nextAt: step.nextAt }
    }
  }
}
