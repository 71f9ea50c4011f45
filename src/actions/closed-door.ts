import { randomUUID } from 'node:crypto'
import type { Problem } from '../errors.js'
import { problemReply } from '../http/reply.js'
import type { FrontDoor } from './front-door.js'

/** Refuses every request for the same reason. The log has the reason already, from start-up. */
export const createClosedDoor =
  (problem: Problem): FrontDoor =>
  (request) =>
    Promise.resolve(problemReply(problem, request, randomUUID()))
