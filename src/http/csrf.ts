import { createHmac, randomBytes } from 'node:crypto'
import { derivedKey } from './derived-key.js'
import { sameMac } from './same-text.js'

/** Parameter and header that carry a CSRF token (`decisions.md`, Marketing). */
export const csrfParameter = 'CSRF_TOKEN'
export const csrfHeader = 'x-csrf-token'

/** What a form asked for when its token was issued: proof against form-filling robots. */
export interface FormGuard {
  /** Seconds that a person needs at least to fill in the form. */
  minimumSeconds: number
}

export interface VerifiedToken {
  issuedAt: Date
  guard: FormGuard | undefined
}

/** CSRF tokens, tied to a session's id. */
export interface CsrfTokens {
  issue(sessionId: string, options: { now: Date; guard?: FormGuard }): string
  /** Undefined when the token is not one of ours for this session. */
  verify(token: string, sessionId: string): VerifiedToken | undefined
}

/** Seconds that a form may ask for at most. */
export const guardLimitSeconds = 3600

const shape =
  /^(?<claims>(?<issuedAt>\d{1,15})\.(?<seconds>\d{0,4})\.[\w-]{22})\.(?<mac>[\w-]{43})$/

/**
 * Tokens that nothing has to store: when issued, what guard, something random (so that no two pages
 * look alike), and an HMAC over that and the session's id. They hold as long as the session's id.
 */
export function createCsrfTokens({ secret }: { secret: string }): CsrfTokens {
  const key = derivedKey(secret, 'csrf')
  // The length keeps apart what could be read as a longer id and shorter claims.
  const macOf = (sessionId: string, claims: string) =>
    createHmac('sha256', key)
      .update(`${sessionId.length}!${sessionId}!${claims}`)
      .digest('base64url')

  return {
    issue(sessionId, { now, guard }) {
      if (guard !== undefined) checkGuard(guard)
      const random = randomBytes(16).toString('base64url')
      const claims = `${now.getTime()}.${guard?.minimumSeconds ?? ''}.${random}`
      return `${claims}.${macOf(sessionId, claims)}`
    },
    verify(token, sessionId) {
      const { claims, issuedAt, seconds, mac } = shape.exec(token)?.groups ?? {}
      if (claims === undefined || mac === undefined) return undefined
      if (!sameMac(mac, macOf(sessionId, claims))) return undefined
      return {
        issuedAt: new Date(Number(issuedAt)),
        guard: seconds ? { minimumSeconds: Number(seconds) } : undefined,
      }
    },
  }
}

function checkGuard({ minimumSeconds }: FormGuard): void {
  const isFine =
    Number.isInteger(minimumSeconds) && minimumSeconds >= 0 && minimumSeconds <= guardLimitSeconds
  if (!isFine) {
    throw new TypeError(`minimumSeconds must be a whole number from 0 to ${guardLimitSeconds}.`)
  }
}
