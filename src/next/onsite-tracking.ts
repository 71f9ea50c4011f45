import { additionParameters, takeAdditions } from '../carts/additions-cookie.js'
import { exchangeIdParameter, isExchangeId } from '../onsite/exchange-id.js'
import type { OnsiteEvent } from '../onsite/onsite-event.js'
import {
  callScript,
  forgetScriptCookie,
  hasScriptCookie,
  loadScript,
  scriptExchangeId,
  type ScriptSource,
} from './klaviyo-script.js'
import { forgetVisit, knownVisit, noteVisit, type Visit } from './onsite-visit.js'
import { askServer, readSessionInfo } from './read-layout-info.js'

/** Something that was put into the cart. */
export interface AddedItem {
  productId: number | string
  variantId?: number | string | undefined
  /** Default 1. */
  quantity?: number | undefined
}

interface Tracking extends ScriptSource {
  /** Path of the site below which the actions are. */
  base: string
}

// They live outside React's components, as React may mount those again.
/** Undefined unless the visitor has consented. */
let wanted: Tracking | undefined
/** The same, once the session knows it. */
let current: Tracking | undefined
/** Posts to the session go one after the other, as each answer replaces its cookie. */
let lastPost: Promise<void> = Promise.resolve()
const listeners = new Set<() => void>()

export function onTracking(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const isTracking = (): boolean => current !== undefined

/** Call it when the visitor has consented. */
export async function beginTracking(tracking: Tracking): Promise<void> {
  wanted = tracking
  const before = knownVisit()
  const info = await readSessionInfo(tracking.base)
  // The visitor may have taken the consent back meanwhile.
  if (wanted !== tracking) return
  // Somebody has logged out: the next person at this browser is somebody else.
  if (before?.account !== undefined && info !== undefined && info.id === undefined) {
    forgetScriptCookie()
    forgetVisit()
  }
  loadScript(tracking, () => void noteVisitor())
  await noteVisitor()
  if (wanted !== tracking) return
  if (info?.email !== undefined && before?.account !== info.id) {
    callScript('identify', { email: info.email }, () => void noteVisitor())
  }
  keep(tracking)
  await reportAdditions(takeAdditions())
}

/** Call it when the visitor refuses: takes an earlier consent back, if there was one. */
export async function endTracking(base: string): Promise<void> {
  wanted = undefined
  keep(undefined)
  if (knownVisit() === undefined && !hasScriptCookie()) return
  forgetScriptCookie()
  takeAdditions()
  await inTurn(async () => {
    // Without an answer the next page tries again.
    if (await tellSession(base, { consent: '0' })) forgetVisit()
  })
}

function keep(tracking: Tracking | undefined): void {
  current = tracking
  for (const listener of listeners) listener()
}

/** Tells the session that the visitor has consented and who they are to Klaviyo, unless it knows. */
export const noteVisitor = (): Promise<void> =>
  inTurn(async () => {
    const tracking = wanted
    if (tracking === undefined) return
    const { base } = tracking
    const account = (await readSessionInfo(base))?.id
    const before = knownVisit()
    const exchangeId = exchangeIdInUrl() ?? scriptExchangeId() ?? before?.exchangeId
    if (wanted !== tracking || isTold({ exchangeId, account }, before)) return
    const told = { consent: '1', ...(exchangeId && { [exchangeIdParameter]: exchangeId }) }
    if (await tellSession(base, told)) noteVisit({ exchangeId, account })
  })

const isTold = (visit: Visit, told: ReturnType<typeof knownVisit>): boolean =>
  told?.isFresh === true && told.account === visit.account && told.exchangeId === visit.exchangeId

function inTurn(post: () => Promise<void>): Promise<void> {
  lastPost = lastPost.then(post)
  return lastPost
}

/** Sends an event through Klaviyo's script. Without consent it does nothing. */
export function track({ name, properties }: OnsiteEvent): void {
  if (current !== undefined) callScript('track', name, properties)
}

/**
 * Sends Added to Cart for what a script has put into the visitor's cart, such as with `addItem` of the
 * extension. Call it after the cart has changed. Without an item, it sends what the page's own requests to
 * `update-cart` have added. Forms need no call: the next page sends it. Without consent it does nothing.
 *
 * @example
 * await addItem({ product: product.id })
 * await trackAddedToCart({ productId: product.id })
 */
export async function trackAddedToCart(item?: AddedItem): Promise<void> {
  if (current === undefined) return
  if (item === undefined) return reportAdditions(takeAdditions())
  const { quantity = 1, ...ids } = item
  await reportAdditions(additionParameters([{ ids, quantity }]))
}

/** Asks for the events of additions, which have the shape of the server's events, and sends them. */
async function reportAdditions(parameters: string | undefined): Promise<void> {
  if (parameters === undefined || current === undefined) return
  const url = `${current.base}/actions/marketingconnect/onsite/added-to-cart?${parameters}`
  for (const event of (await askServer<OnsiteEvent[]>(url)) ?? []) track(event)
}

/** False when the session did not accept it. */
async function tellSession(base: string, values: Record<string, string>): Promise<boolean> {
  const info = await readSessionInfo(base)
  if (info === undefined) return false
  const response = await fetch(`${base}/actions/marketingconnect/onsite/visitor`, {
    method: 'POST',
    headers: { accept: 'application/json' },
    body: new URLSearchParams({ ...values, [info.csrfTokenName]: info.csrfTokenValue }),
  }).catch(() => undefined)
  return response?.ok === true
}

function exchangeIdInUrl(): string | undefined {
  const text = new URLSearchParams(location.search).get(exchangeIdParameter)
  return text !== null && isExchangeId(text) ? text : undefined
}
