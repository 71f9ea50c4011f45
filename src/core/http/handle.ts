import { realEffects } from '../effects.js'
import type { Problem } from '../errors.js'
import { problemReply, webResponse, type Reply } from './reply.js'
import type { ActionRequest } from './request-body.js'

export interface HandleContext {
  /** The IP address at the other end of the connection; undefined when the mount cannot see it. */
  address?: string | undefined
}

/** Answers a request for `/actions/…`. Never rejects: every failure is a reply. */
export type Handle = (request: Request, context?: HandleContext) => Promise<Response>

/** Like `Handle`, for a mount that needs no Web `Request` and `Response`. */
export type FrontDoor = (request: ActionRequest, context?: HandleContext) => Promise<Reply>

export const webHandle =
  (frontDoor: FrontDoor): Handle =>
  async (request, context) =>
    webResponse(await frontDoor(request, context))

/**
 * Refuses every request with the same problem. It logs nothing, as the problem has been logged. A store
 * that does not work has no effects of its own.
 */
export const createRefusal =
  (problem: Problem): FrontDoor =>
  (request) =>
    Promise.resolve(problemReply(problem, request, { requestId: realEffects.uuid() }))
