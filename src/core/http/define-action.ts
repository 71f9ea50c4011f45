import type { ParameterTree } from './parameters.js'
import type { Reply } from './reply.js'
import type { FlashNotice, Session } from './session.js'
import type { Visitor } from './visit.js'

/** What a store's own action learns about the post, and how it answers. */
export interface StoreActionContext {
  /** The request. Its body was read already: use `parameters`. */
  request: Request
  /** The parameters of query string and body. `profile[city]` is nested. */
  parameters: ParameterTree
  /** Finds the user who is logged in; undefined for a guest. */
  user: () => Promise<Pick<Visitor, 'id' | 'collection' | 'document'> | undefined>
  /** The visitor's session, with the cart's id. */
  session: Pick<Session, 'data' | 'change'>
  /** Shows the visitor a text once, on the next page. Default kind: `notice`. */
  notice: (text: string, kind?: FlashNotice['kind']) => void
  /** Answers with JSON. */
  json: (value: unknown) => Reply
  /**
   * Redirects the visitor (303). Default: to the form's `redirect`, else back to the form's page.
   *
   * @throws {TypeError} when the target is not an http(s) URL or a path.
   */
  redirect: (target?: string) => Reply
  /** Answers with `json(value)` for Ajax, and with `redirect()` otherwise. */
  reply: (value: unknown) => Reply
}

/**
 * Answers a post with a `Response`, or with what `json`, `redirect` or `reply` of the context return.
 * Throw a `Problem` to answer with an error.
 */
export type StoreActionHandler = (context: StoreActionContext) => Reply | Promise<Reply>

/** An action of the store's own; `defineAction` makes one. */
export interface StoreAction {
  readonly path: string
  readonly handler: StoreActionHandler
}

const shape = /^[a-z\d]+(?:-[a-z\d]+)*(?:\/[a-z\d]+(?:-[a-z\d]+)*){1,4}$/

/**
 * Defines an action of the store's own below `/actions/`. Forms post to it with a CSRF token, or name it
 * in `forward`.
 *
 * @throws {TypeError} when the path is malformed, or belongs to Storeconnect's own actions.
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

/** Groups of Storeconnect's own actions. No post is forwarded to them (`docs/interface.md` (Form posts)). */
const ownGroups = ['shippingconnect', 'marketingconnect']

export const pathLimit = 200

const escapes = /%[0-9a-f]{2}/i

/**
 * Whether a path names an action of ours in any disguise: case, slashes, dots, encoding, look-alike letters or
 * marks.
 */
export function namesOwnAction(path: string): boolean {
  // No action has a longer path, and a long one would be slow to decode.
  if (path.length > pathLimit) return true
  let text = plainLetters(path)
  // The loop ends, because each pass leaves fewer characters that could be part of an escape.
  while (escapes.test(text)) text = plainLetters(decodeOnce(text))
  return ownGroups.some((group) => text.includes(group))
}

const decodeOnce = (text: string) =>
  text.replace(/(?:%[0-9a-f]{2})+/gi, (run) =>
    new TextDecoder().decode(Buffer.from(run.replaceAll('%', ''), 'hex')),
  )

/** It goes to upper case first, as some letters (`ı`, `ſ`) have a plain form only there. */
const plainLetters = (text: string) =>
  text
    .normalize('NFKD')
    .toUpperCase()
    .toLowerCase()
    .replace(/[\p{M}\p{C}\p{Z}\p{Default_Ignorable_Code_Point}]/gu, '')
