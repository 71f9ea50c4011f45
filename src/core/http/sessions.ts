import { base64url, EncryptJWT, errors, jwtDecrypt } from 'jose'
import * as z from 'zod/mini'
import { lazy } from '../database/cached-value.js'
import type { Effects } from '../effects.js'
import { isSecure, type Addressed } from './public-origin.js'
import { cookieLimitBytes, cookieValue } from './request-headers.js'
import {
  sessionCookieName,
  type OpenSession,
  type SessionChanges,
  type SessionData,
} from './session.js'

export type Sessions = ReturnType<typeof createSessions>

/** How many days a session lasts after its cookie was last written. */
export const sessionDays = 30

const hourMs = 60 * 60 * 1000
const dayMs = 24 * hourMs

const sealedSession = z.object({
  /** Seconds since 1970. */
  exp: z.number(),
  /** Milliseconds since 1970. */
  returnUrlExpires: z.exactOptional(z.number()),
  data: z.object({
    id: z.string().check(z.minLength(1)),
    cartId: z.exactOptional(z.union([z.number(), z.string()])),
    formerCartIds: z.exactOptional(z.array(z.union([z.number(), z.string()]))),
    flash: z.exactOptional(
      z.array(z.object({ kind: z.enum(['notice', 'error']), text: z.string() })),
    ),
    returnUrl: z.exactOptional(z.string()),
    hasOnsiteConsent: z.exactOptional(z.literal(true)),
    exchangeId: z.exactOptional(z.string()),
  }),
})

type SealedSession = z.infer<typeof sealedSession>
type Claims = Omit<SealedSession, 'exp'>
type ToCookie = (claims: Claims) => Promise<string>

/**
 * Keeps sessions in an encrypted cookie: HttpOnly, SameSite=Lax, and Secure on https (`docs/interface.md`
 * (Session)).
 */
export function createSessions({
  secret,
  effects: { now, randomBytes },
}: {
  secret: string
  effects: Pick<Effects, 'now' | 'randomBytes'>
}) {
  const newId = () => base64url.encode(randomBytes(24))
  if (secret.trim() === '')
    throw new TypeError('Storeconnect needs the secret of the Payload config.')
  const key = lazy(() => sessionKey(secret))
  return {
    /** Opens the session of the request's cookie; a new one when there is no valid cookie. */
    async open(request: Addressed): Promise<OpenSession> {
      const secure = isSecure(request)
      const name = sessionCookieName(secure)
      const openedAt = now()
      const sealed = cookieValue(request.headers, name)
      const found = sealed === undefined ? undefined : await unseal(sealed, await key(), openedAt)
      return openSession(found, {
        newId,
        now: openedAt.getTime(),
        toCookie: async (claims) =>
          `${name}=${await seal(claims, await key(), now())}; ${cookieAttributes(secure)}`,
      })
    },
  }
}

function openSession(
  found: SealedSession | undefined,
  { now, newId, toCookie }: { now: number; newId: () => string; toCookie: ToCookie },
): OpenSession {
  let data: SessionData = found?.data ?? { id: newId() }
  let returnUrlExpires = found?.returnUrlExpires ?? 0
  if (returnUrlExpires <= now) delete data.returnUrl
  const isOlderThanDay = found !== undefined && found.exp * 1000 - now < (sessionDays - 1) * dayMs
  let isChanged = false
  return {
    get data() {
      return data
    },
    change(changes) {
      data = withChanges(data, changes)
      if (changes.returnUrl !== undefined) returnUrlExpires = now + hourMs
      isChanged = true
    },
    renew() {
      data = { ...data, id: newId() }
      isChanged = true
    },
    keep() {
      if (found === undefined || isOlderThanDay) isChanged = true
    },
    cookie: async () =>
      isChanged ? fittingCookie({ data, returnUrlExpires }, toCookie) : undefined,
  }
}

const cookieAttributes = (isSecure: boolean) =>
  `Path=/; Max-Age=${(sessionDays * dayMs) / 1000}; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`

function withChanges(data: SessionData, changes: SessionChanges): SessionData {
  const entries = Object.entries({ ...data, ...changes })
  const kept = Object.fromEntries(entries.filter(([, value]) => value !== undefined))
  return { ...kept, id: changes.id ?? data.id }
}

async function fittingCookie(claims: Claims, toCookie: ToCookie): Promise<string> {
  const cookie = await toCookie(claims)
  if (cookie.length <= cookieLimitBytes) return cookie
  const { flash = [], ...rest } = claims.data
  if (flash.length === 0) throw new RangeError('The session is too large for a cookie.')
  const data = flash.length === 1 ? rest : { ...rest, flash: flash.slice(1) }
  return fittingCookie({ ...claims, data }, toCookie)
}

// AES-GCM with a key of 32 bytes encrypts and authenticates in one step (RFC 7518, 5.3).
const algorithms = { alg: 'dir', enc: 'A256GCM' }

const seal = (claims: Claims, key: Uint8Array, now: Date): Promise<string> =>
  new EncryptJWT(claims)
    .setProtectedHeader(algorithms)
    .setExpirationTime(Math.ceil((now.getTime() + sessionDays * dayMs) / 1000))
    .encrypt(key)

/** Undefined for a text that we did not seal, or that has expired. */
async function unseal(
  text: string,
  key: Uint8Array,
  currentDate: Date,
): Promise<SealedSession | undefined> {
  if (text.length > cookieLimitBytes || !isCanonical(text)) return undefined
  try {
    const { payload } = await jwtDecrypt(text, key, {
      currentDate,
      keyManagementAlgorithms: [algorithms.alg],
      contentEncryptionAlgorithms: [algorithms.enc],
    })
    return sealedSession.safeParse(payload).data
  } catch (error) {
    if (error instanceof errors.JOSEError) return undefined
    throw error
  }
}

/**
 * Base64url can spell the same bytes in several ways, as its last character may have unused bits. Those must
 * be zero.
 */
const isCanonical = (text: string) =>
  text
    .split('.')
    .every((part) => /^(?:[\w-]{4})*(?:[\w-][AQgw]|[\w-]{2}[AEIMQUYcgkosw048])?$/.test(part))

/**
 * What `derivedKey(secret, 'session')` gives, by Web Crypto: a proxy on Next.js 15 runs where there is no
 * `node:crypto`.
 */
export async function sessionKey(secret: string): Promise<Uint8Array> {
  const bytesOf = (text: string) => new TextEncoder().encode(text)
  const material = await crypto.subtle.importKey('raw', bytesOf(secret), 'HKDF', false, [
    'deriveBits',
  ])
  const parameters = {
    name: 'HKDF',
    hash: 'SHA-256',
    salt: bytesOf('storeconnect'),
    info: bytesOf('session'),
  }
  return new Uint8Array(await crypto.subtle.deriveBits(parameters, material, 256))
}
