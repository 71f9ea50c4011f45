import type { Log } from '../store/log.js'
import { clientName } from './client-ip.js'
import { OwnCounts, secondsToWait, type Count, type SharedCounts } from './rate-limit.js'

/** Logins that one address may try, and fail, in a minute before it has to wait. IPv6: one /64. */
export const triedLoginsPerMinute = 10

/** The same for one account, from whatever addresses; there may be many, or none that is known. */
export const triedLoginsPerAccount = 30

export interface LoginTry {
  /** Undefined where it is not known. */
  clientIp: string | undefined
  /** Who the client says it is, whether there is such an account or not. */
  account: string
}

/** Counts logins that fail, by address and by account, over all processes of the shop. */
export interface LoginThrottle {
  /** Seconds that the client has to wait; 0 when it may try, which counts. */
  try(login: LoginTry): Promise<number>
  /** Takes the count of a try back. */
  succeeded(login: LoginTry): Promise<void>
}

export interface LoginThrottleParts {
  counts: SharedCounts
  log: Pick<Log, 'error'>
}

/** In the database, and in memory alone while that fails. `door` keeps the counts of two apart. */
export function createLoginThrottle(
  door: string,
  { counts, log }: LoginThrottleParts,
): LoginThrottle {
  const own = new OwnCounts()
  const addShared = async (added: readonly Count[]): Promise<readonly Count[]> => {
    try {
      return await counts.add(added)
    } catch (error) {
      log.error({ err: error }, 'Logins are counted in memory alone')
      return []
    }
  }

  const limitsOf = ({ clientIp, account }: LoginTry) => [
    ...(clientIp === undefined
      ? []
      : [{ key: `${door} address ${clientName(clientIp)}`, limit: triedLoginsPerMinute }]),
    { key: `${door} account ${account}`, limit: triedLoginsPerAccount },
  ]

  async function secondsFor({ key, limit }: { key: string; limit: number }): Promise<number> {
    const count = await own.add(key)
    // Who goes on and on has no more of the database.
    if (count.times > 2 * limit) return secondsToWait(count, limit)
    const [shared] = await addShared([{ ...count, times: 1 }])
    return secondsToWait(shared ?? count, limit)
  }

  return {
    async try(login) {
      // The address first: one that has to wait does not use up the account's tries.
      for (const limit of limitsOf(login)) {
        const seconds = await secondsFor(limit)
        if (seconds > 0) return seconds
      }
      return 0
    },
    async succeeded(login) {
      const back = await Promise.all(limitsOf(login).map(({ key }) => own.add(key, -1)))
      await addShared(back.map((count) => ({ ...count, times: -1 })))
    },
  }
}
