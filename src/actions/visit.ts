import type { VerifiedToken } from '../http/csrf.js'
import type { ParameterTree, RequestParameters } from '../http/parameters.js'
import type { Reply } from '../http/reply.js'
import type { ActionRequest } from '../http/request-body.js'
import type { Session } from '../http/session.js'
import type { Visitor } from '../store/visitor.js'

/** One request at the front door. What costs something is read on first use, and once. */
export interface Visit {
  request: ActionRequest
  /** Ties the answer to its log lines. */
  requestId: string
  /** The visitor's network address; undefined where nobody can tell. */
  clientIp: string | undefined
  /**
   * The parameters of query string and body.
   *
   * @throws {Problem} when they cannot be read.
   */
  parameters(): Promise<RequestParameters>
  /**
   * The text of one plain parameter, found before the others are nested.
   *
   * @throws {Problem} when the body cannot be read.
   */
  flatParameter(name: string): Promise<string | undefined>
  /** The visitor's session. What it changes goes out as a cookie with the answer. */
  session(): Promise<Session>
  /** Who is logged in, if anybody. */
  visitor(): Promise<Visitor | undefined>
  /**
   * The form, once it is checked: for an action that a post is forwarded to it stays checked, also when
   * the first one gave the session a new id.
   */
  form?: Promise<FormVisit>
}

/** A post that passed the checks of every form: it comes from a page of ours, in this session. */
export interface FormVisit extends Omit<Visit, 'session' | 'form'> {
  /** The visit itself, for an action that it is forwarded to. */
  visit: Visit
  /** The parameters. */
  tree: ParameterTree
  session: Session
  /** Where the form wants the visitor sent: a URL, or a path of this origin. */
  redirect: string | undefined
  token: VerifiedToken
  /** Where the visitor goes when the form does not say. */
  back: () => string
}

/** Answers a request. What it throws becomes an error reply. */
export type Action = (visit: Visit) => Promise<Reply>
