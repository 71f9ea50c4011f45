import type { Log } from '../database/log.js'
import { Problem } from '../errors.js'
import { clientName } from './client-ip.js'
import { createOwnCounts } from './own-counts.js'
import type { Count, SharedCounts } from '../database/shared-counts.js'
import { sameText } from '../signing.js'
import type { Visit } from './visit.js'

/** How many logins may fail in a minute from one client IP, or one /64 of IPv6, before it has to wait. */
export const triedLoginsPerMinute = 10

/** How many logins to one account may fail in a minute, from all client IPs together. */
export const triedLoginsPerAccount = 30

/** How many characters of a name count, so that long names do not fill the memory. No account needs more. */
const nameLength = 256

/** How long tries are counted together (`own-counts.ts`). */
const minuteMs = 60_000

export interface LoginTry {
  clientIp: string | undefined
  /** The name that the client entered, whether there is such an account or not. */
  account: string
  /**
   * What the try looks like. Tries of a kind are counted too, but without a limit, and are answered like
   * any other.
   */
  kind?: string
}

export type LoginThrottle = ReturnType<typeof createLoginThrottle>

/** Counts failed logins by client IP and by account, in all processes, and only in memory while the database fails. */
export function createLoginThrottle(
  name: string,
  { counts, log, now }: { counts: SharedCounts; log: Pick<Log, 'error'>; now: () => Date },
) {
  const own = createOwnCounts(now)
  /** The kinds of tries beyond the limit that are not written to the database yet. */
  const uncounted = new Map<string, Count>()
  const addShared = async (added: readonly Count[]): Promise<readonly Count[]> => {
    try {
      return await counts.add(added)
    } catch (error) {
      log.error({ err: error }, 'Logins are counted in memory alone')
      return []
    }
  }

  const keyOfKind = (kind: string) => `${name} kind ${kind}`

  const limitsOf = ({ clientIp, account }: LoginTry) => [
    ...(clientIp === undefined
      ? []
      : [{ key: `${name} address ${clientName(clientIp)}`, limit: triedLoginsPerMinute }]),
    { key: `${name} account ${account.slice(0, nameLength)}`, limit: triedLoginsPerAccount },
  ]

  async function secondsFor(
    { key, limit }: { key: string; limit: number },
    kind?: string,
  ): Promise<number> {
    const count = own.add(key)
    const once = { ...count, times: 1 }
    const ofKind: Count[] =
      kind === undefined ? [] : [{ ...once, key: keyOfKind(kind), isKept: true }]
    // Far beyond the limit, only every so many tries are written to the database. Their number decides,
    // because the time of an answer would otherwise tell the kind of the try.
    const isWritten = kind !== undefined && count.times % limit === 0
    if (count.times > 2 * limit && !isWritten) {
      for (const one of ofKind) uncounted.set(one.key, one)
      return own.secondsToWait(count, limit)
    }
    const earlier = [...uncounted.values()]
    uncounted.clear()
    if (earlier.length > 0) await addShared(earlier)
    const shared = await addShared([once, ...ofKind])
    return own.secondsToWait(shared.find((one) => one.key === key) ?? count, limit)
  }

  return {
    /** Counts a try, and returns the seconds that the client has to wait; 0 when it may try. */
    async try(login: LoginTry): Promise<number> {
      // The address comes first, so that one that has to wait does not use up the account's tries.
      for (const [index, limit] of limitsOf(login).entries()) {
        const seconds = await secondsFor(limit, index === 0 ? login.kind : undefined)
        if (seconds > 0) return seconds
      }
      return 0
    },
    /** When the last minute began in which there was a try of this kind; undefined when there was none. */
    async lastOfKind(kind: string): Promise<Date | undefined> {
      const count = await counts.last(keyOfKind(kind))
      return count && count.times > 0 ? new Date(count.endsAt - minuteMs) : undefined
    },
    /** Takes back the count of a try that succeeded. */
    async succeeded(login: LoginTry): Promise<void> {
      const back = limitsOf(login).map(({ key }) => own.add(key, -1))
      await addShared(back.map((count) => ({ ...count, times: -1 })))
    },
  }
}

/** @throws {Problem} TOO_MANY_FAILED_LOGINS. */
export async function countTry(login: LoginTry, throttle: LoginThrottle): Promise<void> {
  const seconds = await throttle.try(login)
  if (seconds === 0) return
  throw new Problem('TOO_MANY_FAILED_LOGINS', {
    headers: { 'retry-after': String(seconds) },
    log: { clientIp: login.clientIp },
  })
}

/**
 * Checks the token of a URL for machines: `Authorization: Bearer …`, else the one in a parameter of the URL, where it
 * has one. The right token always passes, however many wrong ones came before.
 *
 * @throws {Problem} TOKEN_REFUSED or TOO_MANY_FAILED_LOGINS.
 */
export function createTokenCheck(
  name: string,
  counting: Parameters<typeof createLoginThrottle>[1],
): (visit: Visit, token: { expected: string; inUrl?: string | undefined }) => Promise<void> {
  const throttle = createLoginThrottle(name, counting)
  return async (visit, { expected, inUrl = '' }) => {
    const { request, clientIp } = visit
    const [, bearer] =
      /^Bearer +(.+)$/i.exec(request.headers.get('authorization')?.trim() ?? '') ?? []
    const given = bearer ?? inUrl
    if (sameText(given, expected)) return
    if (given !== '') await countTry({ clientIp, account: name }, throttle)
    throw new Problem('TOKEN_REFUSED', {
      headers: { 'www-authenticate': 'Bearer realm="Storeconnect"' },
      log: { clientIp },
    })
  }
}
