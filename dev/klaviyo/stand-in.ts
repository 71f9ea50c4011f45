import { setTimeout as pause } from 'node:timers/promises'

import { Account } from './account.ts'
import type { Answer } from './answer-parts.ts'
import { answers } from './answers.ts'
import { ApiError } from './api-error.ts'
import { bodiesAt } from './bodies.ts'
import {
  allScopes,
  callNames,
  calls,
  routesOf,
  type CallName,
  type Route,
  type Scope,
} from './calls.ts'
import { ConnectionLost, Faults, markerOf, type Fault, type FaultKind } from './faults.ts'
import { itemsOf } from './items.ts'
import { createClientApi } from './onsite/client-api.ts'
import { demoLists, type ListSeed } from './lists.ts'
import { RateWindows, type WindowLimits } from './rate-windows.ts'
import { authenticate, checkQuery, checkRevision, readBody, takesBody } from './request-checks.ts'
import {
  answerResponse,
  errorResponse,
  faultError,
  hanging,
  rateHeaders,
  truncated,
} from './responses.ts'
import { readableState, type CallRecord } from './state.ts'
import { Work } from './work.ts'

/** The private key of the stand-in's account. */
export const demoApiKey = 'pk_stand_in_demo_key'

/** Its public key (site id). */
export const demoPublicKey = 'STDIN1'

export interface StandInOptions {
  /** Milliseconds since 1970; default: the system's clock. */
  now?: () => number
  /** From 0 up to 1: moves the windows and draws the faults. Default: `Math.random`. */
  random?: () => number
  /** Other limits than the documented ones, or none at all. */
  limits?: Partial<Record<CallName, WindowLimits>> | 'none'
  /** Keys and what they may do; default: the demo key, with every scope. */
  apiKeys?: Readonly<Record<string, readonly Scope[]>>
  lists?: readonly ListSeed[]
  faults?: readonly Fault[]
  /** From the answer to an event until it is recorded; default 0. */
  eventSeconds?: number
  /** From the answer to a job of the catalog until it is done; default 0. */
  catalogSeconds?: number
  /** Waits for a `delay`; default: a timer. */
  wait?: (seconds: number, signal: AbortSignal) => Promise<void>
}

export type KlaviyoStandIn = ReturnType<typeof createKlaviyoStandIn>

/** Struck before the request is looked at: what a connection suffers. */
const ON_THE_WAY: ReadonlySet<FaultKind> = new Set(['reset', 'hang', 'delay', 'truncate'])
const IN_THE_ANSWER: ReadonlySet<FaultKind> = new Set([
  'error',
  'wrong-key',
  'forbidden',
  'retired',
  'throttle',
  'redirect',
])

/**
 * Stands in for Klaviyo's API at revision 2026-07-15: `handle` answers a request as `fetch` would,
 * with no sockets, on a clock of the caller's choice.
 */
export function createKlaviyoStandIn(options: StandInOptions = {}) {
  const now = options.now ?? Date.now
  const random = options.random ?? Math.random
  const apiKeys = new Map(Object.entries(options.apiKeys ?? { [demoApiKey]: allScopes }))
  const faults = new Faults(random)
  for (const fault of options.faults ?? []) faults.add(fault)
  const work = new Work(now)
  const account = new Account({ now, newId: idMaker(), lists: options.lists ?? demoLists })
  const bodies = bodiesAt(now)
  const windows = rateWindows(options.limits, random)
  const records: CallRecord[] = []
  const wait = options.wait ?? ((seconds, signal) => pause(seconds * 1000, undefined, { signal }))
  const answer = answers({
    account,
    faults,
    later: (task, seconds) => work.add(task, seconds),
    eventSeconds: options.eventSeconds ?? 0,
    catalogSeconds: options.catalogSeconds ?? 0,
  })

  async function handle(request: Request): Promise<Response> {
    work.runDue()
    const url = new URL(request.url)
    const routes = routesOf(url.pathname)
    const route = routes.find(({ name }) => calls[name].method === request.method)
    if (!route) return noRoute(routes)
    const text = await request.text()
    const fault = faults.strike(route.name, ON_THE_WAY)
    const record: CallRecord = {
      name: route.name,
      at: now(),
      status: 0,
      items: 0,
      bytes: Buffer.byteLength(text),
      fault: fault?.kind,
      requestId: `request-${records.length + 1}`,
    }
    records.push(record)
    const { headers, signal } = request
    const call: ReceivedCall = { route, url, headers, text, record }
    return fault ? underway(fault, signal, call) : take(call)
  }

  /** The faults that lie around an answer. */
  async function underway(
    fault: Fault,
    signal: AbortSignal,
    call: ReceivedCall,
  ): Promise<Response> {
    if (fault.kind === 'delay') {
      await wait(fault.seconds ?? 1, signal)
      return take(call)
    }
    if (fault.kind === 'truncate') return truncated(take(call))
    if (fault.isProcessed === true) take(call)
    call.record.status = 0
    if (fault.kind === 'hang') return hanging(signal)
    throw new ConnectionLost('fetch failed')
  }

  function take(call: ReceivedCall): Response {
    const { record, route, headers } = call
    const named = { 'x-klaviyo-req-id': record.requestId }
    let rate: Record<string, string> = {}
    let response: Response
    try {
      authenticate(headers, apiKeys, route.name)
      rate = rateHeaders(windows?.[route.name].take(now()))
      response = answerResponse(act(call), { ...named, ...rate })
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      response = errorResponse(error, { ...named, ...(error.status !== 429 && rate) })
    }
    record.status = response.status
    return response
  }

  function act({ route: { name, id }, url, headers, text, record }: ReceivedCall): Answer {
    const struck = faults.strike(name, IN_THE_ANSWER)
    // Whoever has not opted out of it is served by another revision, without a word.
    const isServedAnyway = struck?.kind === 'retired' && headers.get(optOut) !== '1'
    const fault = isServedAnyway ? undefined : struck
    if (fault) {
      record.fault = fault.kind
      if (fault.isProcessed !== true) throw faultError(fault)
    }
    checkRevision(headers)
    checkQuery(name, url.searchParams)
    const body = takesBody(name, bodies) ? readBody({ headers, text }, name, bodies) : undefined
    record.items = itemsOf(name, body).length
    refusePoisoned(name, body, text)
    const given = answer[name]({ url, id, body, receivedAt: record.at })
    work.runDue()
    if (fault) throw faultError(fault)
    return given
  }

  function refusePoisoned(name: CallName, body: unknown, text: string): void {
    const fault = faults.strikeMarked(name, 'poison', (marker) => text.includes(marker))
    if (!fault) return
    if (fault.says === 'error') throw faultError(fault)
    const isBad = ({ item }: { item: unknown }) => JSON.stringify(item).includes(markerOf(fault))
    const detail = 'The payload provided in the request is invalid.'
    const pointers =
      fault.says === 'item'
        ? itemsOf(name, body)
            .filter(isBad)
            .map(({ pointer }) => pointer)
        : ['/data']
    throw new ApiError(
      400,
      pointers.map((pointer) => ({ code: 'invalid', detail, pointer })),
    )
  }

  return {
    handle,
    /** The script of the pages, and what it calls. */
    onPages: createClientApi({ account, bodies, now }),
    faults,
    /** Does at once what was put off: events, and jobs of the catalog. */
    settle: () => work.runAll(),
    /** What a person does: follow the link in a message, or leave. */
    people: {
      confirm: (id: string) => account.confirm(id),
      suppress: account.suppress.bind(account),
      stopTexts: account.stopTexts.bind(account),
    },
    state: readableState({ account, records, runDue: () => work.runDue() }),
  }
}

const optOut = 'x-klaviyo-revision-fall-forward-opt-out'

interface ReceivedCall {
  route: Route
  url: URL
  headers: Headers
  text: string
  record: CallRecord
}

function noRoute(routes: readonly Route[]): Response {
  if (routes.length === 0) {
    const detail = 'There is no such endpoint.'
    return errorResponse(new ApiError(404, [{ code: 'not_found', detail }]))
  }
  const allow = routes.map(({ name }) => calls[name].method).join(', ')
  const detail = `Only ${allow} is allowed here.`
  return errorResponse(new ApiError(405, [{ code: 'method_not_allowed', detail }], { allow }))
}

function rateWindows(limits: StandInOptions['limits'], random: () => number) {
  if (limits === 'none') return undefined
  const windows = callNames.map((name) => {
    return [name, new RateWindows(limits?.[name] ?? calls[name].limits, random)] as const
  })
  return Object.fromEntries(windows) as Record<CallName, RateWindows>
}

/** Looks like one of the platform's ids, and rises. */
function idMaker(): () => string {
  let last = 0
  return () => {
    last += 1
    return `01STANDIN${last.toString(32).toUpperCase().padStart(17, '0')}`
  }
}
