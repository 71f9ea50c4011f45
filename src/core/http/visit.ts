import type { TypeWithID } from 'payload'
import type { VerifiedToken } from './csrf.js'
import type { ParameterTree, RequestParameters } from './parameters.js'
import type { Reply } from './reply.js'
import type { ActionRequest } from './request-body.js'
import type { Session } from './session.js'
import type { DocumentId } from '../database/document-id.js'

/** A user's document as Payload's authentication returns it. */
export type UserDocument = TypeWithID & { collection: string; email?: string } & Record<
    string,
    unknown
  >

/** A logged-in user. */
export interface Visitor {
  id: DocumentId
  /** Slug of the users' collection. */
  collection: string
  document: Record<string, unknown>
}

/** One request to an action. Parameters, session and visitor are read once, when they are first used. */
export interface Visit {
  request: ActionRequest
  /** The id that is in the answer and in its log lines. */
  requestId: string
  /** The visitor's IP address; undefined when it is not known. */
  clientIp: string | undefined
  /**
   * The parameters of query string and body.
   *
   * @throws {Problem} when they cannot be read.
   */
  parameters(): Promise<RequestParameters>
  /**
   * The text of one parameter whose name has no brackets. It does not nest the others.
   *
   * @throws {Problem} when the body cannot be read.
   */
  flatParameter(name: string): Promise<string | undefined>
  /** The visitor's session. Its changes are sent as a cookie with the answer. */
  session(): Promise<Session>
  /** The user who is logged in; undefined for a guest. */
  visitor(): Promise<Visitor | undefined>
  /**
   * The form after its checks. An action that the post is forwarded to does not check it again, as the
   * first action may have given the session a new id.
   */
  form?: Promise<FormVisit>
}

/** A post that passed the checks of a form action: it comes from a page of the store, in this session. */
export interface FormVisit extends Omit<Visit, 'session' | 'form'> {
  /** The visit itself, for an action that the post is forwarded to. */
  visit: Visit
  /** The parameters of query string and body. */
  tree: ParameterTree
  session: Session
  /** The form's redirect: a URL, or a path of this origin. Undefined when the form has none. */
  redirect: string | undefined
  token: VerifiedToken
  /** Returns where the visitor goes without a redirect. */
  back: () => string
}

/** Answers a request. What it throws becomes an error reply. */
export type Action = (visit: Visit) => Promise<Reply>
