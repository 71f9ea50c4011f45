import { namesOwnAction, pathLimit } from '../actions/own-actions.js'
import type { ParameterTree } from '../http/parameters.js'
import type { Reply } from '../http/reply.js'
import type { FlashNotice, Session } from '../http/session.js'
import type { Visitor } from '../store/visitor.js'

/** What a store's own action knows of the post, and how it answers. */
export interface StoreActionContext {
  /** Its body is read already: it is the parameters. */
  request: Request
  /** Query string and body. `profile[city]` is nested. */
  parameters: ParameterTree
  /** Who is logged in, if anybody. */
  user: () => Promise<Pick<Visitor, 'id' | 'collection' | 'document'> | undefined>
  /** The visitor's session, with the cart's id. */
  session: Pick<Session, 'data' | 'change'>
  /** Tells the visitor something, once, on the next page. Default kind `notice`. */
  notice: (text: string, kind?: FlashNotice['kind']) => void
  /** Answers with JSON. */
  json: (value: unknown) => Reply
  /**
   * Sends the visitor on (303). Default: where the form's `redirect` says, else back to its page.
   *
   * @throws {TypeError} when the target is not an http(s) URL or a path.
   */
  redirect: (target?: string) => Reply
  /** `json(value)` for Ajax, `redirect()` for everybody else. */
  reply: (value: unknown) => Reply
}

/** Answers a post, with a `Response` or what the context makes. Throw a `Problem` for an answer with a status of its own. */
export type StoreActionHandler = (context: StoreActionContext) => Reply | Promise<Reply>

/** An action of the store's own, made with `defineAction`. */
export interface StoreAction {
  readonly path: string
  readonly handler: StoreActionHandler
}

const shape = /^[a-z\d]+(?:-[a-z\d]+)*(?:\/[a-z\d]+(?:-[a-z\d]+)*){1,4}$/

/**
 * An action of the store's own below `/actions/`. Forms post to it, with a CSRF token, or name it in
 * `forward`.
 *
 * @throws {TypeError} when the path is malformed, or one of Storeconnect's own groups.
 * @example
 * storeConnect({
 *   actions: [
 *     defineAction('shop/polls/vote', async ({ parameters, notice, reply }) => {
 *       await saveVote(String(parameters.tea))
 *       notice('Thank you for your vote.')
 *       return reply({ voted: true })
 *     }),
 *   ],
 * })
 */
export function defineAction(path: string, handler: StoreActionHandler): StoreAction {
  if (path.length > pathLimit || !shape.test(path)) {
    throw new TypeError(
      `defineAction(): "${path}" must be two to five names of lower-case letters, digits and dashes, with slashes between.`,
    )
  }
  if (namesOwnAction(path)) {
    throw new TypeError(`defineAction(): "${path}" is one of Storeconnect's own actions.`)
  }
  if (typeof handler !== 'function') throw new TypeError('defineAction(): the handler is missing.')
  return { path, handler }
}
