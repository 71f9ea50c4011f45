import { createPublicKey, type JsonWebKey, type KeyObject } from 'node:crypto'
import * as z from 'zod/mini'
import { Problem } from '../../core/errors.js'
import { bytesWithin } from '../../core/http/bytes-within.js'
import type { Shop } from '../../core/shop.js'

/** Where ShipStation publishes the keys that it signs with (https://docs.shipstation.com/apis/docs/guides/webhooks-validation). */
export const keysUrl = 'https://api.shipengine.com/jwks'

/** ShipStation gives a webhook ten seconds. */
const timeoutMs = 5_000
const mostBytes = 64 * 1024
const mostKeys = 20

const minuteMs = 60_000
/** How long keys count without asking again: as ShipStation says, within these bounds. */
const fresh = { leastMs: minuteMs, usualMs: 60 * minuteMs, mostMs: 24 * 60 * minuteMs }

const keySet = z.object({
  keys: z.array(z.looseObject({ kid: z.optional(z.string()), kty: z.string() })),
})

/**
 * Finds ShipStation's key of an id; undefined when ShipStation has none. It is asked once a minute at most, so that
 * strangers cannot have the shop ask. Keys that could not be renewed count for a day.
 */
export function createSigningKeys({ effects, log }: Pick<Shop, 'effects' | 'log'>) {
  let keys: ReadonlyMap<string, KeyObject> = new Map()
  let [askedAt, freshUntil, usableUntil] = [-Infinity, -Infinity, -Infinity]
  let asking: Promise<void> | undefined
  let isUnreachable = true

  async function ask(): Promise<void> {
    const now = effects.steadyMs()
    askedAt = now
    try {
      const answer = await fetchKeys(effects)
      keys = answer.keys
      freshUntil = now + answer.freshMs
      usableUntil = now + fresh.mostMs
      isUnreachable = false
    } catch (error) {
      isUnreachable = true
      log.warn({ err: error }, "ShipStation's keys could not be read")
    }
  }

  /** @throws {Problem} KEYS_UNREACHABLE. */
  return async (keyId: string): Promise<KeyObject | undefined> => {
    const now = effects.steadyMs()
    const known = keys.get(keyId)
    if (known !== undefined && now < freshUntil) return known
    const mayAsk = now - askedAt >= minuteMs
    if (mayAsk) asking ??= ask().finally(() => (asking = undefined))
    await asking
    const key = effects.steadyMs() < usableUntil ? keys.get(keyId) : undefined
    if (key === undefined && isUnreachable) throw new Problem('KEYS_UNREACHABLE')
    return key
  }
}

export type SigningKeys = ReturnType<typeof createSigningKeys>

async function fetchKeys({ fetch, deadline }: Shop['effects']) {
  const response = await fetch(keysUrl, {
    headers: { accept: 'application/json' },
    redirect: 'error',
    signal: deadline(timeoutMs),
  })
  if (!response.ok) throw new Error(`ShipStation answered ${response.status}.`)
  const bytes = await bytesWithin(response.body ?? [], mostBytes)
  if (bytes === undefined) throw new Error('The answer is too large.')
  const { keys } = keySet.parse(JSON.parse(bytes.toString('utf8')))
  return {
    keys: new Map(keys.slice(0, mostKeys).flatMap((jwk) => namedKey(jwk))),
    freshMs: freshMsOf(response.headers.get('cache-control') ?? ''),
  }
}

/** RSA signs the webhooks. The set may have keys of other kinds, for other things. */
const namedKey = ({
  kid,
  ...jwk
}: z.infer<typeof keySet>['keys'][number]): [string, KeyObject][] =>
  kid === undefined || jwk.kty !== 'RSA'
    ? []
    : [[kid, createPublicKey({ key: jwk as JsonWebKey, format: 'jwk' })]]

function freshMsOf(cacheControl: string): number {
  const seconds = /\bno-(?:store|cache)\b/i.test(cacheControl)
    ? 0
    : /\bmax-age=(\d{1,9})/i.exec(cacheControl)?.[1]
  const ms = seconds === undefined ? fresh.usualMs : Number(seconds) * 1000
  return Math.min(Math.max(ms, fresh.leastMs), fresh.mostMs)
}
