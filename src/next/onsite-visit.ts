/** What the session was last told about the visitor. */
export interface Visit {
  /** Who the visitor is to Klaviyo. */
  exchangeId?: string | undefined
  /** The id of the account; undefined for a guest. */
  account?: number | string | undefined
}

/** Only a visitor who has consented has this entry in the browser's storage. */
const place = 'storeconnect-onsite'

/** The session is told again after a day, as its cookie may be gone. */
const freshMs = 24 * 60 * 60 * 1000

/** Undefined when the session was told nothing. A visit that is no longer fresh is to be told again. */
export function knownVisit(): (Visit & { isFresh: boolean }) | undefined {
  try {
    const { at, ...visit } = JSON.parse(localStorage.getItem(place) ?? '') as Visit & { at: number }
    return { ...visit, isFresh: Date.now() - at < freshMs }
  } catch {
    // There is none, or this browser has no storage: the session is told on each page.
    return undefined
  }
}

export function noteVisit(visit: Visit): void {
  write(JSON.stringify({ ...visit, at: Date.now() }))
}

export const forgetVisit = (): void => write(undefined)

function write(text: string | undefined): void {
  try {
    if (text === undefined) localStorage.removeItem(place)
    else localStorage.setItem(place, text)
  } catch {
    // This browser has no storage, so there is nothing to remove either.
  }
}
