import type { Effects } from '../effects.js'
import { Problem, type ProblemPageText } from '../errors.js'
import { clientIp, type TrustProxy } from './client-ip.js'
import { flatText, readParameters, receiveParameters } from './parameters.js'
import type { PageColors } from './page-colors.js'
import type { Addressed } from './public-origin.js'
import { type FrontDoor, type HandleContext, problemReply, type Reply } from './reply.js'
import type { ActionRequest } from './request-body.js'
import { prefersJson } from './request-headers.js'
import type { OpenSession } from './session.js'
import type { Sessions } from './sessions.js'
import { lazy } from '../database/cached-value.js'
import { isBusyDatabase } from '../database/database.js'
import type { Log } from '../database/log.js'
import type { Visitor, Action, Visit } from './visit.js'

type Actions = Readonly<Record<string, Action>>

/** Finds the action below `…/actions/`, runs it, and turns whatever goes wrong into a reply. */
export function createFrontDoor({
  actions,
  log,
  effects,
  sessions,
  visitorOf,
  problemPage,
  colors,
  trustProxy,
}: {
  /** The actions by their paths below `/actions/`. */
  actions: Actions
  log: Log
  effects: Pick<Effects, 'uuid'>
  sessions: Sessions
  visitorOf: (request: Addressed) => Promise<Visitor | undefined>
  /** The page of an error in the language of the shopper; undefined for the error's own sentence. */
  problemPage: (problem: Problem, request: ActionRequest) => Promise<ProblemPageText | undefined>
  /** The shop's colours of a page; undefined for ours. */
  colors?: PageColors | undefined
  /** The proxies that send the client IP. Undefined: the address of the connection is the client IP. */
  trustProxy: TrustProxy | undefined
}): FrontDoor {
  function openVisit(request: ActionRequest, about: { requestId: string } & HandleContext) {
    let session: Promise<OpenSession> | undefined
    const sent = lazy(() => receiveParameters(request))
    const visit: Visit = {
      request,
      requestId: about.requestId,
      clientIp: trustProxy ? clientIp(request.headers, trustProxy) : about.address,
      parameters: lazy(() => readParameters(request, sent())),
      flatParameter: async (name) => flatText(await sent(), name),
      session: () => (session ??= sessions.open(request)),
      visitor: lazy(() => visitorOf(request)),
    }
    return {
      visit,
      /** The session's `Set-Cookie` header; undefined when no action opened the session. */
      sessionCookie: async () => (await session)?.cookie(),
    }
  }

  async function pageOf(
    problem: Problem,
    request: ActionRequest,
  ): Promise<ProblemPageText | undefined> {
    if (problem.page !== undefined || prefersJson(request.headers)) return problem.page
    try {
      return await problemPage(problem, request)
    } catch (error) {
      // The page is shown in English then.
      log.warn({ err: error }, 'The language of the site could not be read')
      return undefined
    }
  }

  return async (request, { address } = {}) => {
    const requestId = readRequestId(request.headers) ?? effects.uuid()
    const refuse = async (error: unknown): Promise<Reply> => {
      const problem = problemOf(error)
      logProblem(log, problem, requestId)
      const page = await pageOf(problem, request)
      return problemReply(problem, request, { requestId, page, colors })
    }

    const { visit, sessionCookie } = openVisit(request, { requestId, address })
    const reply = await answer(actions, visit).catch(refuse)
    try {
      return seal(reply, request, { requestId, cookie: await sessionCookie() })
    } catch (error) {
      return seal(await refuse(error), request, { requestId, cookie: undefined })
    }
  }
}

async function answer(actions: Actions, visit: Visit): Promise<Reply> {
  const path = actionPath(visit.request.url)
  const action = Object.hasOwn(actions, path) ? actions[path] : undefined
  if (action === undefined) throw new Problem('ACTION_NOT_FOUND')
  return action(visit)
}

/** The path below the first `/actions/`, without a slash at its end. */
function actionPath(url: string): string {
  const { pathname } = new URL(url)
  const start = pathname.indexOf('/actions/')
  return start === -1 ? '' : pathname.slice(start + '/actions/'.length).replace(/\/$/, '')
}

function problemOf(error: unknown): Problem {
  if (isBusyDatabase(error)) return new Problem('SHOP_BUSY', { cause: error })
  return error instanceof Problem ? error : new Problem('UNEXPECTED', { cause: error })
}

function logProblem(log: Log, problem: Problem, requestId: string): void {
  const fields = { requestId, code: problem.code, status: problem.status, ...problem.log }
  if (problem.status < 500) log.warn(fields, 'Request refused')
  else log.error({ ...fields, err: problem.cause }, 'Request failed')
}

/** Adds the headers that every answer has. HEAD gets the headers of GET and no body. */
function seal(
  reply: Reply,
  request: ActionRequest,
  { requestId, cookie }: { requestId: string; cookie: string | undefined },
): Reply {
  const { status, body } = reply
  // A store's own action may return anything.
  if (!(status >= 200 && status < 600)) throw new TypeError('An action answers with a Response.')
  if ('bodyUsed' in reply && reply.bodyUsed) throw new TypeError('The body was read already.')
  // Copied, as the headers of `Response.redirect()` and of `fetch` responses cannot be changed.
  const headers = new Headers(reply.headers)
  headers.set('x-request-id', requestId)
  headers.set('x-content-type-options', 'nosniff')
  if (cookie !== undefined) headers.append('set-cookie', cookie)
  // Answers hold personal data, or are true only now. An action may say otherwise of its own, but a shared cache
  // would send one visitor's cookies to other visitors.
  const isKept = headers.has('cache-control') && !headers.has('set-cookie')
  if (!isKept && !isPrivate(headers)) headers.set('cache-control', 'no-store')
  return { status, headers, body: request.method === 'HEAD' ? null : body }
}

const isPrivate = (headers: Headers) =>
  /\b(?:no-store|private)\b/i.test(headers.get('cache-control') ?? '')

function readRequestId(headers: Headers): string | undefined {
  const id = headers.get('x-request-id')
  return id !== null && /^[\w.:-]{1,100}$/.test(id) ? id : undefined
}
