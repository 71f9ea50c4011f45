import { randomUUID } from 'node:crypto'
import { Problem } from '../errors.js'
import { clientIp, type TrustProxy } from '../http/client-ip.js'
import { flatText, readParameters, receiveParameters } from '../http/parameters.js'
import type { Addressed } from '../http/public-origin.js'
import { problemReply, webResponse, type Reply } from '../http/reply.js'
import type { ActionRequest } from '../http/request-body.js'
import type { OpenSession, Sessions } from '../http/session.js'
import { once } from '../once.js'
import type { Log } from '../store/log.js'
import type { Visitor } from '../store/visitor.js'
import type { Action, Visit } from './visit.js'

export interface HandleContext {
  /** The address at the other end of the connection, where the mount sees it. */
  address?: string | undefined
}

/** Answers a request for `/actions/…`. Never rejects: every failure is a reply. */
export type Handle = (request: Request, context?: HandleContext) => Promise<Response>

/** The same, for a mount that can do without the Web's own request and response. */
export type FrontDoor = (request: ActionRequest, context?: HandleContext) => Promise<Reply>

export const webHandle =
  (door: FrontDoor): Handle =>
  async (request, context) =>
    webResponse(await door(request, context))

export interface FrontDoorParts {
  /** By what stands behind `/actions/` in their paths. */
  actions: Readonly<Record<string, Action>>
  log: Log
  sessions: Sessions
  /** Who is logged in. */
  visitorOf: (request: Addressed) => Promise<Visitor | undefined>
  /** Proxies that tell the visitor's network address. Without: it is the connection's. */
  trustProxy?: TrustProxy | undefined
  /** Whether the database had no room for the request: it is to be sent again. */
  isBusy?: (error: unknown) => boolean
}

/** Finds the action below `…/actions/`, runs it, and turns whatever goes wrong into a reply. */
export function createFrontDoor(parts: FrontDoorParts): FrontDoor {
  return async (request, { address } = {}) => {
    const requestId = readRequestId(request.headers) ?? randomUUID()
    const refuse = (error: unknown): Reply => {
      const problem = parts.isBusy?.(error)
        ? new Problem('SHOP_BUSY', { cause: error })
        : asProblem(error)
      logProblem(parts.log, problem, requestId)
      return problemReply(problem, request, requestId)
    }

    const { visit, sessionCookie } = openVisit(parts, { request, requestId, address })
    const reply = await answer(parts.actions, visit).catch(refuse)
    try {
      return seal(reply, request, { requestId, cookie: await sessionCookie() })
    } catch (error) {
      return seal(refuse(error), request, { requestId, cookie: undefined })
    }
  }
}

interface Arrival {
  request: ActionRequest
  requestId: string
  address: string | undefined
}

function openVisit(parts: FrontDoorParts, arrival: Arrival) {
  const { request, requestId } = arrival
  let session: Promise<OpenSession> | undefined
  const sent = once(() => receiveParameters(request))
  const visit: Visit = {
    request,
    requestId,
    clientIp: parts.trustProxy ? clientIp(request.headers, parts.trustProxy) : arrival.address,
    parameters: once(() => readParameters(request, sent())),
    flatParameter: async (name) => flatText(await sent(), name),
    session: () => (session ??= parts.sessions.open(request)),
    visitor: once(() => parts.visitorOf(request)),
  }
  return {
    visit,
    /** What the session wants written, if anything opened it. */
    sessionCookie: async () => (await session)?.cookie(),
  }
}

async function answer(actions: FrontDoorParts['actions'], visit: Visit): Promise<Reply> {
  const path = actionPath(visit.request.url)
  const action = Object.hasOwn(actions, path) ? actions[path] : undefined
  if (action === undefined) throw new Problem('ACTION_NOT_FOUND')
  return action(visit)
}

/** What stands behind the first `/actions/` of the path; a slash at its end is tolerated. */
function actionPath(url: string): string {
  const { pathname } = new URL(url)
  const start = pathname.indexOf('/actions/')
  return start === -1 ? '' : pathname.slice(start + '/actions/'.length).replace(/\/$/, '')
}

const asProblem = (error: unknown): Problem =>
  error instanceof Problem ? error : new Problem('UNEXPECTED', { cause: error })

function logProblem(log: Log, problem: Problem, requestId: string): void {
  const fields = { requestId, code: problem.code, status: problem.status, ...problem.log }
  if (problem.status >= 500) log.error({ ...fields, err: problem.cause }, 'Request failed')
  else log.warn(fields, 'Request refused')
}

/** Adds what every answer has; HEAD gets the headers of GET and no body. */
function seal(
  reply: Reply,
  request: ActionRequest,
  { requestId, cookie }: { requestId: string; cookie: string | undefined },
): Reply {
  const { status, body } = reply
  // What a store's own action answers with is whatever its code returns.
  if (!(status >= 200 && status < 600)) throw new TypeError('An action answers with a Response.')
  if ('bodyUsed' in reply && reply.bodyUsed) throw new TypeError('The body was read already.')
  // A copy, as the headers of some are locked: of `Response.redirect()`, or of what `fetch` got.
  const headers = new Headers(reply.headers)
  headers.set('x-request-id', requestId)
  headers.set('x-content-type-options', 'nosniff')
  if (cookie !== undefined) {
    headers.append('set-cookie', cookie)
    // Whoever kept this answer would hand one visitor's session to the next.
    if (!isKeptByNobodyElse(headers)) headers.set('cache-control', 'no-store')
  }
  return { status, headers, body: request.method === 'HEAD' ? null : body }
}

const isKeptByNobodyElse = (headers: Headers) =>
  /\b(?:no-store|private)\b/i.test(headers.get('cache-control') ?? '')

function readRequestId(headers: Headers): string | undefined {
  const id = headers.get('x-request-id')
  return id !== null && /^[\w.:-]{1,100}$/.test(id) ? id : undefined
}
