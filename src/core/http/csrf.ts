import type { Effects } from '../effects.js'
import { createSigner } from '../signing.js'

export const csrfParameter = 'CSRF_TOKEN'
export const csrfHeader = 'x-csrf-token'

/** A protection against robots, stored in the form's token. */
export interface FormGuard {
  /** A post that comes sooner than this after the token was issued is a robot's. */
  minimumSeconds: number
}

export interface VerifiedToken {
  issuedAt: Date
  guard: FormGuard | undefined
}

export const guardLimitSeconds = 3600

const shape =
  /^(?<claims>(?<issuedAt>\d{1,15})\.(?<seconds>\d{0,4})\.[\w-]{22})\.(?<mac>[\w-]{43})$/

export type CsrfTokens = ReturnType<typeof createCsrfTokens>

/** Issues and verifies CSRF tokens without storing them. A token is valid as long as the session keeps its id. */
export function createCsrfTokens({
  secret,
  effects: { now, randomBytes },
}: {
  secret: string
  effects: Pick<Effects, 'now' | 'randomBytes'>
}) {
  const signer = createSigner(secret, 'csrf')
  // With the length, two different pairs of id and claims never give the same text.
  const textOf = (sessionId: string, claims: string) => `${sessionId.length}!${sessionId}!${claims}`

  return {
    issue(sessionId: string, guard?: FormGuard): string {
      if (guard !== undefined) checkGuard(guard)
      const random = Buffer.from(randomBytes(16)).toString('base64url')
      const claims = `${now().getTime()}.${guard?.minimumSeconds ?? ''}.${random}`
      return `${claims}.${signer.sign(textOf(sessionId, claims))}`
    },
    /** Undefined when the token was not issued for this session. */
    verify(token: string, sessionId: string): VerifiedToken | undefined {
      const { claims, issuedAt, seconds, mac } = shape.exec(token)?.groups ?? {}
      if (claims === undefined || mac === undefined) return undefined
      if (!signer.isSigned(textOf(sessionId, claims), mac)) return undefined
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
