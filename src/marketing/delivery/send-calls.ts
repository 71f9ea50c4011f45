import type { Shop } from '../../core/shop.js'
import type { CallBudget } from './call-budget.js'
import { createCallPlanner, type PlannedCalls } from './call-planner.js'
import type { DeliveryStore } from './delivery-store.js'
import type { Lease } from '../../core/workers/lease.js'
import type { ProfileQueues } from './profile-queues.js'
import type { ReadAhead } from './read-ahead.js'
import type { SendBatch } from './send-batch.js'
import { perKind, sendKinds, type Send, type SendKind, type WaitingSend } from './send.js'
import type { SessionWork } from '../../core/workers/session-work.js'

/** Calls of a kind, or groups of single ones, at once: one that hangs must not stop the others. */
const callsAtOnce = 4

interface SendCallsSetup {
  store: DeliveryStore
  lease: Lease
  queues: ProfileQueues
  budget: CallBudget
  readAhead: ReadAhead
  sendBatch: SendBatch
  work: SessionWork
}

/** Plans the calls that carry sends, marks their sends and makes them. */
export function createSendCalls(shop: Pick<Shop, 'waits' | 'visitors'>, setup: SendCallsSetup) {
  const { store, lease, queues, budget, readAhead, sendBatch, work } = setup
  const plan = createCallPlanner(shop, { queues, budget })
  const underWay = perKind(() => 0)
  let callNumber = 0

  async function make(planned: PlannedCalls): Promise<void> {
    const wanted = planned.parts.map(({ sends }) => sends)
    const all = wanted.flat()
    const calls = planned.isOneByOne ? wanted : [all]
    try {
      await shop.visitors.turn(all.length)
      const named = calls.map((sends) => ({ name: `${lease.epoch}-${++callNumber}`, sends }))
      const messages = await store.begin(named, lease, budget.logs())
      const refused = idsOf(all).filter((id) => !messages.has(id))
      if (refused.length > 0) work.begin(() => readAhead.readBlockers(refused))
      const filled = wanted.map((sends) =>
        sends.flatMap((send): Send[] => {
          const message = messages.get(send.id)
          return message ? [{ ...send, message }] : []
        }),
      )
      await sendBatch(filled, planned)
    } catch (error) {
      // Some sends may be marked or sent.
      work.doubt()
      throw error
    }
  }

  function setBusy({ parts, group: { kind } }: PlannedCalls, isBusy: boolean): void {
    for (const { queue } of parts) queues.setBusy(queue, isBusy)
    underWay[kind] += isBusy ? 1 : -1
  }

  return {
    areUnderWay: (): boolean => sendKinds.some((kind) => underWay[kind] > 0),

    /** Begins the calls of a kind that can be made now. `nextAt`: when to look again. */
    begin(kind: SendKind, apiKey: string): { begun: number; nextAt?: number | undefined } {
      let begun = 0
      // At the limit there is no moment to return: the end of a call wakes the delivery.
      while (underWay[kind] < callsAtOnce) {
        const planned = plan(kind, apiKey)
        if (!('permits' in planned)) return { begun, nextAt: planned.nextAt }
        setBusy(planned, true)
        work.begin(() => make(planned).finally(() => setBusy(planned, false)))
        begun += 1
      }
      return { begun }
    },
  }
}

const idsOf = (sends: readonly WaitingSend[]) => sends.map(({ id }) => id)
