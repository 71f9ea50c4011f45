import { randomBytes } from 'node:crypto'
import { EncryptJWT, errors, jwtDecrypt } from 'jose'
import { z } from 'zod'
import { cookieLimitBytes, cookieValue } from './cookie-value.js'
import { derivedKey } from './derived-key.js'
import { isSecure as isSecureRequest, type Addressed } from './public-origin.js'

/** A notice that the next page shows once. */
export interface FlashNotice {
  kind: 'notice' | 'error'
  text: string
}

/** What a visitor's session holds. It travels in an encrypted cookie, so it is small. */
export interface SessionData {
  /** Unguessable; new at login and logout. CSRF tokens hang on it. */
  id: string
  /** The visitor's cart. */
  cartId?: number | string
  /** Carts that the visitor had before, the last one first. */
  formerCartIds?: (number | string)[]
  flash?: FlashNotice[]
  /** Where to go after login; for an hour, as somebody else may log in later. */
  returnUrl?: string
}

/** One visitor's session during one request. */
export interface Session {
  readonly data: Readonly<SessionData>
  /** Sets or, with undefined, removes. */
  change(changes: { [Name in keyof SessionData]?: SessionData[Name] | undefined }): void
  /** A new id, so that nothing from before a login or logout stays valid. */
  renew(): void
  /**
   * For what hangs on the session's id, such as a CSRF token: a visitor without the cookie gets
   * it, and one whose cookie is older than a day gets its whole life again.
   */
  keep(): void
}

/** A session with the cookie that it came from and goes back into. */
export interface OpenSession extends Session {
  /**
   * The `Set-Cookie` text; undefined while the browser's own cookie is good. A session that is too
   * large for a cookie loses its oldest notices.
   *
   * @throws {RangeError} when it is too large without any notice.
   */
  cookie(): Promise<string | undefined>
}

export interface Sessions {
  /** The session that the request's cookie holds; a new one when it holds none, or not ours. */
  open(request: Addressed): Promise<OpenSession>
}

/** From the last time that the cookie was written. */
export const sessionDays = 30

const hourMs = 60 * 60 * 1000
const dayMs = 24 * hourMs

// The prefix ties the cookie to one host over https; plain http cannot have it.
export const sessionCookieName = (isSecure: boolean): string =>
  isSecure ? '__Host-storeconnect' : 'storeconnect'

const sealedSession = z.object({
  /** Seconds since 1970. */
  exp: z.number(),
  /** Milliseconds since 1970. */
  returnUrlExpires: z.number().exactOptional(),
  data: z.object({
    id: z.string().min(1),
    cartId: z.union([z.number(), z.string()]).exactOptional(),
    formerCartIds: z.array(z.union([z.number(), z.string()])).exactOptional(),
    flash: z
      .array(z.object({ kind: z.enum(['notice', 'error']), text: z.string() }))
      .exactOptional(),
    returnUrl: z.string().exactOptional(),
  }),
})

type SealedSession = z.infer<typeof sealedSession>

/** Sessions in an encrypted cookie: HttpOnly, SameSite=Lax, Secure on https. */
export function createSessions({
  secret,
  isSecure = isSecureRequest,
  now = () => new Date(),
}: {
  /** The store's secret: the one of the Payload config. */
  secret: string
  /** Default: by the request's URL, or what a proxy says of it. */
  isSecure?: (request: Addressed) => boolean
  now?: () => Date
}): Sessions {
  const key = derivedKey(secret, 'session')
  return {
    async open(request) {
      const name = sessionCookieName(isSecure(request))
      const openedAt = now()
      const sealed = cookieValue(request.headers, name)
      const found = sealed === undefined ? undefined : await unseal(sealed, key, openedAt)
      const write = (data: SessionData, returnUrlExpires: number) =>
        fittingCookie(data, async (fitting) => {
          const text = await seal({ returnUrlExpires, data: fitting }, key, now())
          return `${name}=${text}; ${cookieAttributes(isSecure(request))}`
        })
      return openSession({ found, write, now: openedAt.getTime() })
    },
  }
}

function openSession({
  found,
  write,
  now,
}: {
  found: SealedSession | undefined
  write: (data: SessionData, returnUrlExpires: number) => Promise<string>
  now: number
}): OpenSession {
  let data: SessionData = found?.data ?? { id: newSessionId() }
  let returnUrlExpires = found?.returnUrlExpires ?? 0
  if (returnUrlExpires <= now) delete data.returnUrl
  const isFading = found !== undefined && found.exp * 1000 - now < (sessionDays - 1) * dayMs
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
      data = { ...data, id: newSessionId() }
      isChanged = true
    },
    keep() {
      if (found === undefined || isFading) isChanged = true
    },
    cookie: () => (isChanged ? write(data, returnUrlExpires) : Promise.resolve(undefined)),
  }
}

const newSessionId = () => randomBytes(24).toString('base64url')

const cookieAttributes = (isSecure: boolean) =>
  `Path=/; Max-Age=${(sessionDays * dayMs) / 1000}; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`

function withChanges(
  data: SessionData,
  changes: { [Name in keyof SessionData]?: SessionData[Name] | undefined },
): SessionData {
  const entries = Object.entries({ ...data, ...changes })
  const kept = Object.fromEntries(entries.filter(([, value]) => value !== undefined))
  return { ...kept, id: changes.id ?? data.id }
}

async function fittingCookie(
  data: SessionData,
  write: (data: SessionData) => Promise<string>,
): Promise<string> {
  let fitting = data
  for (;;) {
    const cookie = await write(fitting)
    if (Buffer.byteLength(cookie) <= cookieLimitBytes) return cookie
    const { flash = [], ...rest } = fitting
    if (flash.length === 0) throw new RangeError('The session is too large for a cookie.')
    fitting = flash.length === 1 ? rest : { ...rest, flash: flash.slice(1) }
  }
}

// AES with GCM under a key of 32 bytes: encrypted and authenticated in one (RFC 7518, 5.3).
const algorithms = { alg: 'dir', enc: 'A256GCM' }

const seal = (claims: Omit<SealedSession, 'exp'>, key: Uint8Array, now: Date): Promise<string> =>
  new EncryptJWT(claims)
    .setProtectedHeader(algorithms)
    .setExpirationTime(Math.ceil((now.getTime() + sessionDays * dayMs) / 1000))
    .encrypt(key)

/** What is in a seal of ours that has not expired; undefined for anything else. */
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

/** Base64url has several spellings of the same bytes: the last character may have bits to spare. */
const isCanonical = (text: string) =>
  text.split('.').every((part) => Buffer.from(part, 'base64url').toString('base64url') === part)
