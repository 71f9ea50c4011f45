import { additionParameters, takeAdditions } from '../../carts/additions-cookie.js'
import { exchangeIdParameter, isExchangeId } from '../../marketing/onsite/exchange-id.js'
import type { OnsiteEvent } from '../../marketing/onsite/onsite-events.js'
import {
  callScript,
  cancelScript,
  forgetVisitor,
  hasScriptCookie,
  loadScript,
  scriptExchangeId,
  type ScriptSource,
  keepEntry,
} from './klaviyo-script.js'
import { askServer, askSessionInfo, sharedInfo, type SessionInfo } from './read-layout-info.js'

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

// These live outside React's components, as React may mount those again.
/** What the visitor has consented to; undefined without consent. */
let wanted: Tracking | undefined
/** The same once the session knows of it; undefined until then. */
let current: Tracking | undefined
/** What the server last said about the visitor. */
let session: SessionInfo | undefined
/** The script that has run here knows a former visitor, until the next page is loaded. */
let knowsFormerVisitor = false
/** Posts run one after the other, because each replaces the session's cookie. */
let lastTurn: Promise<void> = Promise.resolve()
const listeners = new Set<() => void>()

export function onTracking(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const isTracking = (): boolean => current !== undefined

/** Call it when the visitor has consented, and when they go to another page. */
export function beginTracking(tracking: Tracking): Promise<void> {
  wanted = tracking
  return inTurn(() => begin(tracking))
}

/** Call it when the visitor refuses: takes an earlier consent back, if there was one. */
export function endTracking(base: string): Promise<void> {
  wanted = undefined
  keep(undefined)
  cancelScript()
  return inTurn(async () => {
    // Without an answer the next page tries again.
    await forget(base)
  })
}

async function begin(tracking: Tracking): Promise<void> {
  if (wanted !== tracking || knowsFormerVisitor) return
  const before = sentVisitor()?.account
  // The visitor may take the consent back meanwhile.
  if (!(await recogniseVisitor(tracking.base)) || wanted !== tracking) return
  loadScript(tracking, noteVisitor)
  await tellVisitor()
  if (wanted !== tracking) return
  if (session?.email !== undefined && !session.isAdmin && session.id !== before) {
    callScript('identify', { email: session.email }, noteVisitor)
  }
  keep(tracking)
  await reportAdditions(takeAdditions())
}

/** Asks who the visitor is, and forgets who was here before. False when this page must not track them. */
async function recogniseVisitor(base: string): Promise<boolean> {
  const isFirstPage = session === undefined
  const info = (isFirstPage && (await sharedInfo(base))) || (await askSessionInfo(base))
  session = info ?? session
  const account = sentVisitor()?.account
  if (info === undefined || account === undefined || account === info.id) return true
  // After a logout or another login, somebody else may sit at the same browser.
  keep(undefined)
  knowsFormerVisitor = !isFirstPage
  return (await forget(base)) && isFirstPage
}

function keep(tracking: Tracking | undefined): void {
  current = tracking
  for (const listener of listeners) listener()
}

/** Call it when the script may have learned who the visitor is. */
const noteVisitor = () => void inTurn(tellVisitor)

/** Tells the session that the visitor has consented and who they are to Klaviyo, unless it knows. */
async function tellVisitor(): Promise<void> {
  if (wanted === undefined || session === undefined) return
  const before = sentVisitor()
  const exchangeId = exchangeIdInUrl() ?? scriptExchangeId() ?? before?.exchangeId
  const visitor = { exchangeId, account: session.id }
  if (isSent(visitor, before)) return
  const facts = { consent: '1', ...(exchangeId && { [exchangeIdParameter]: exchangeId }) }
  if (await tellSession(wanted.base, session, facts)) noteSent(visitor)
}

const isSent = (visitor: SentVisitor, sent: ReturnType<typeof sentVisitor>): boolean =>
  sent?.isFresh === true &&
  sent.account === visitor.account &&
  sent.exchangeId === visitor.exchangeId

/** Removes what says who the visitor is, if anything does. False when the session could not be told. */
async function forget(base: string): Promise<boolean> {
  if (sentVisitor() === undefined && !hasScriptCookie()) return true
  forgetVisitor()
  takeAdditions()
  const info = await askSessionInfo(base)
  if (info === undefined || !(await tellSession(base, info, { consent: '0' }))) return false
  forgetSent()
  return true
}

function inTurn(work: () => Promise<void>): Promise<void> {
  // What failed before says so itself, and is no reason to keep a refusal waiting.
  lastTurn = lastTurn.then(work, work)
  return lastTurn
}

/** Sends an event through Klaviyo's script. Without consent it does nothing. */
export function track({ name, properties, viewedItem }: OnsiteEvent): void {
  if (current === undefined) return
  callScript('track', name, properties)
  if (viewedItem !== undefined) callScript('trackViewedItem', viewedItem)
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
export const trackAddedToCart = (item?: AddedItem): Promise<void> =>
  // On the page on which the visitor consents, the session is told first.
  inTurn(() => {
    if (item === undefined) return reportAdditions(takeAdditions())
    const { quantity = 1, ...ids } = item
    return reportAdditions(additionParameters([{ ids, quantity }]))
  })

/** Asks for the events of additions, which have the shape of the server's events, and sends them. */
async function reportAdditions(parameters: string | undefined): Promise<void> {
  if (parameters === undefined || current === undefined) return
  const url = `${current.base}/actions/marketingconnect/onsite/added-to-cart?${parameters}`
  for (const event of (await askServer<OnsiteEvent[]>(url)) ?? []) track(event)
}

/** False when the session did not accept it. */
async function tellSession(
  base: string,
  { csrfTokenName, csrfTokenValue }: SessionInfo,
  values: Record<string, string>,
): Promise<boolean> {
  const response = await fetch(`${base}/actions/marketingconnect/onsite/visitor`, {
    method: 'POST',
    headers: { accept: 'application/json' },
    body: new URLSearchParams({ ...values, [csrfTokenName]: csrfTokenValue }),
  }).catch(() => undefined)
  return response?.ok === true
}

function exchangeIdInUrl(): string | undefined {
  const text = new URLSearchParams(location.search).get(exchangeIdParameter)
  return text !== null && isExchangeId(text) ? text : undefined
}

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
  keepEntry(place, JSON.stringify({ ...visitor, at: Date.now() }))
}

export const forgetSent = (): void => keepEntry(place, undefined)
