import type { OpenSession } from '../../core/workers/deliverer.js'
import type { Leases } from '../../core/workers/lease.js'
import type { Shop } from '../../core/shop.js'
import { logsAt, pausesOf } from './call-log.js'
import { openDeliverySession, type DeliverySession, type DeliveryTo } from './delivery-session.js'
import type { DeliveryStore } from './delivery-store.js'
import type { Question } from './klaviyo-call.js'

/** Delivers waiting sends to Klaviyo while this process holds the lease, and asks it questions. */
export function createKlaviyoSessions(
  shop: Shop,
  { store, leases, ...to }: DeliveryTo & { store: DeliveryStore; leases: Leases },
) {
  let session: DeliverySession | undefined

  const open: OpenSession = async (lease, onChange) => {
    const opened = await openDeliverySession(shop, { ...to, store, lease, onChange })
    session = opened
    return {
      ...opened,
      close() {
        session = undefined
        return opened.close()
      },
    }
  }

  return {
    open,

    /** Asks Klaviyo within its limits. Undefined when another process delivers, or without a key. */
    ask: async <Result>(question: Omit<Question<Result>, 'apiKey'>) => {
      const { privateApiKey: apiKey } = await to.settings()
      if (apiKey === '' || session?.isOpen() !== true) return undefined
      return session.ask({ ...question, apiKey })
    },

    /** Why there is no key, the calls that are paused now, and when a process last delivered. */
    async status() {
      const { keyProblem, privateApiKey } = await to.settings()
      const now = shop.effects.now().getTime()
      // Only sessions note something in the lease.
      const last = session?.logs() ?? (await leases.notes())
      const lastRunAt = last.at === undefined ? undefined : new Date(last.at)
      return { keyProblem, pauses: pausesOf(logsAt(now, last), privateApiKey, now), lastRunAt }
    },
  }
}

export type KlaviyoSessions = ReturnType<typeof createKlaviyoSessions>
export type DeliveryStatus = Awaited<ReturnType<KlaviyoSessions['status']>>
