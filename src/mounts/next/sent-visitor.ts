/** What was last sent to the session about the visitor. */
export interface SentVisitor {
  /** Who the visitor is to Klaviyo. */
  exchangeId?: string | undefined
  /** The id of the account; undefined for a guest. */
  account?: number | string | undefined
}

/** Only a visitor who has consented has this entry in the browser's storage. */
const place = 'storeconnect-onsite'

/** It is sent again after a day, as its cookie may be gone. */
const freshMs = 24 * 60 * 60 * 1000

/** Undefined when nothing was sent. What is no longer fresh is to be sent again. */
export function sentVisitor(): (SentVisitor & { isFresh: boolean }) | undefined {
  try {
    const { at, ...visitor } = JSON.parse(localStorage.getItem(place) ?? '') as SentVisitor & {
      at: number
    }
    return { ...visitor, isFresh: Date.now() - at < freshMs }
  } catch {
    // There is none, or this browser has no storage: it is sent on each page.
    return undefined
  }
}

export function noteSent(visitor: SentVisitor): void {
  keep(place, JSON.stringify({ ...visitor, at: Date.now() }))
}

export const forgetSent = (): void => keep(place, undefined)

/** Writes an entry of the browser's storage, or removes it. */
export function keep(entry: string, text: string | undefined): void {
  try {
    if (text === undefined) localStorage.removeItem(entry)
    else localStorage.setItem(entry, text)
  } catch {
    // This browser has no storage, so there is nothing to remove either.
  }
}
