import { cookieValue } from './request-headers.js'
import type { DocumentId } from '../database/document-id.js'
import { isSecure, type Addressed, parseUrl } from './public-origin.js'
import type { PayloadRequest } from 'payload'

/** A notice that the next page shows once. */
export interface FlashNotice {
  kind: 'notice' | 'error'
  text: string
}

/** The data of a visitor's session. It is stored in an encrypted cookie, so it must be small. */
export interface SessionData {
  /** Unguessable; new at login and logout. CSRF tokens are valid only for one id. */
  id: string
  /** The visitor's cart. */
  cartId?: DocumentId
  /** Carts that the visitor had before, the latest first. */
  formerCartIds?: DocumentId[]
  flash?: FlashNotice[]
  /** Where the visitor goes after login. It is kept for an hour, as somebody else may log in later. */
  returnUrl?: string
  /** Whether the visitor has consented to Klaviyo's script on the pages. */
  hasOnsiteConsent?: true
  /** Who the visitor is to Klaviyo. Only a visitor who has consented has one. */
  exchangeId?: string
}

export type SessionChanges = { [Name in keyof SessionData]?: SessionData[Name] | undefined }

/** One visitor's session during one request. */
export interface Session {
  readonly data: Readonly<SessionData>
  /** Sets the given values; undefined removes one. */
  change(changes: SessionChanges): void
  /** Gives the session a new id, so that no token from before a login or logout stays valid. */
  renew(): void
  /**
   * Makes sure that the browser has the session's cookie, which a CSRF token needs: writes it when the
   * request had none, and renews its lifetime when it is older than a day.
   */
  keep(): void
}

/** A session that can be written back into its cookie. */
export interface OpenSession extends Session {
  /**
   * The `Set-Cookie` header; undefined when the session did not change. A session that is too large for a
   * cookie loses its oldest flash notices.
   *
   * @throws {RangeError} when it is too large even without notices.
   */
  cookie(): Promise<string | undefined>
}

// The prefix ties the cookie to one host over https; browsers refuse it over plain http.
export const sessionCookieName = (isSecure: boolean): string =>
  isSecure ? '__Host-storeconnect' : 'storeconnect'

/** Adds a flash notice, unless the same one waits already. */
export function addNotice(
  session: Session,
  text: string,
  kind: FlashNotice['kind'] = 'notice',
): void {
  const waiting = session.data.flash ?? []
  if (waiting.some((notice) => notice.text === text && notice.kind === kind)) return
  session.change({ flash: [...waiting, { kind, text }] })
}

/** Removes the flash notices from the session and returns them, so that each is shown once. */
export function takeNotices(session: Session): FlashNotice[] {
  const { flash = [] } = session.data
  if (flash.length > 0) session.change({ flash: undefined })
  return flash
}

/** The URL and headers of a request to Payload's API; undefined when the store's own code calls Payload. */
export const addressedOf = ({ url, headers }: PayloadRequest): Addressed | undefined =>
  url !== undefined && parseUrl(url) ? { url, headers } : undefined

export const hasSession = (request: Addressed): boolean =>
  cookieValue(request.headers, sessionCookieName(isSecure(request))) !== undefined

export async function answerWithSession(req: PayloadRequest, session: OpenSession): Promise<void> {
  const cookie = await session.cookie()
  if (cookie === undefined) return
  req.responseHeaders ??= new Headers()
  req.responseHeaders.append('set-cookie', cookie)
}
