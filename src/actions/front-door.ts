import { randomUUID } from 'node:crypto'
import { Problem } from '../errors.js'
import { problemReply } from '../http/reply.js'
import type { Log } from '../store/log.js'
import type { Action } from './visit.js'

export interface HandleContext {
  /** The visitor's network address, where the mount knows it; failed logins are counted by it. */
  address?: string | undefined
}

/** Answers a request for `/actions/…`. Never rejects: every failure is a reply. */
export type Handle = (request: Request, context?: HandleContext) => Promise<Response>

/** Finds the action below `…/actions/`, runs it, and turns whatever goes wrong into a reply. */
export function createFrontDoor(parts: {
  actions: Readonly<Record<string, Action>>
  log: Log
}): Handle {
  return async (request, { address } = {}) => {
    const requestId = readRequestId(request.headers) ?? randomUUID()
    try {
      const path = actionPath(request.url)
      const action = Object.hasOwn(parts.actions, path) ? parts.actions[path] : undefined
      if (action === undefined) throw new Problem('ACTION_NOT_FOUND')
      return seal(await action({ request, requestId, address }), request, requestId)
    } catch (error) {
      const problem = asProblem(error)
      logProblem(parts.log, problem, requestId)
      return seal(problemReply(problem, request, requestId), request, requestId)
    }
  }
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
function seal(response: Response, request: Request, requestId: string): Response {
  response.headers.set('x-request-id', requestId)
  response.headers.set('x-content-type-options', 'nosniff')
  return request.method === 'HEAD' ? new Response(null, response) : response
}

function readRequestId(headers: Headers): string | undefined {
  const id = headers.get('x-request-id')
  return id !== null && /^[\w.:-]{1,100}$/.test(id) ? id : undefined
}
