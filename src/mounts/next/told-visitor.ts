/** What the session was last told about the visitor. */
export interface ToldVisitor {
  /** Who the visitor is to Klaviyo. */
  exchangeId?: string | undefined
  /** The id of the account; undefined for a guest. */
  account?: number | string | undefined
}

/** Only a visitor who has consented has this entry in the browser's storage. */
const place = 'storeconnect-onsite'

/** The session is told again after a day, as its cookie may be gone. */
const freshMs = 24 * 60 * 60 * 1000

/** Undefined when the session was told nothing. What is no longer fresh is to be told again. */
export function toldVisitor(): (ToldVisitor & { isFresh: boolean }) | undefined {
  try {
    const { at, ...visitor } = JSON.parse(localStorage.getItem(place) ?? '') as ToldVisitor & {
      at: number
    }
    return { ...visitor, isFresh: Date.now() - at < freshMs }
  } catch {
    // There is none, or this browser has no storage: the session is told on each page.
    return undefined
  }
}

export function noteTold(visitor: ToldVisitor): void {
  keep(place, JSON.stringify({ ...visitor, at: Date.now() }))
}

export const forgetTold = (): void => keep(place, undefined)

/** Writes an entry of the browser's storage, or removes it. */
export function keep(entry: string, text: string | undefined): void {
  try {
    if (text === undefined) localStorage.removeItem(entry)
    else localStorage.setItem(entry, text)
  } catch {
    // This browser has no storage, so there is nothing to remove either.
  }
}
