import { Problem } from '../errors.js'
import { textParameter, type ParameterTree } from './parameters.js'
import type { Action } from './visit.js'

export type Forwards = ReturnType<typeof createForwards>

/**
 * Finds the action that a post is forwarded to, by its exact name. These actions never forward, so a post
 * is forwarded at most once.
 *
 * @throws {TypeError} when `actions` has one of Storeconnect's own groups.
 */
export function createForwards({ actions }: { actions: Readonly<Record<string, Action>> }) {
  const own = Object.keys(actions).find(namesOwnAction)
  if (own !== undefined) throw new TypeError(`No post can be forwarded to "${own}".`)
  return {
    /**
     * The action that the parameters name; undefined when they name none. Find it before anything is
     * done, and call it afterwards with the same visit, as it reads the same parameters.
     *
     * @throws {Problem} FORWARD_NOT_ALLOWED or FORWARD_NOT_FOUND.
     */
    find(tree: ParameterTree): Action | undefined {
      const path = textParameter(tree, 'forward')
      if (path === undefined) return undefined
      if (namesOwnAction(path)) throw new Problem('FORWARD_NOT_ALLOWED')
      const name = path.replace(/\/$/, '')
      const action = Object.hasOwn(actions, name) ? actions[name] : undefined
      if (action === undefined) throw new Problem('FORWARD_NOT_FOUND')
      return action
    },
  }
}

/** Groups of Storeconnect's own actions. No post is forwarded to them (`docs/interface.md` (Form posts)). */
const ownGroups = ['shippingconnect', 'marketingconnect']

export const pathLimit = 200

const escapes = /%[0-9a-f]{2}/i

/**
 * Whether a path names one of Storeconnect's own actions, in any disguise: another case, other slashes
 * and dots, repeated encoding, letters that look alike, or marks in between.
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

/**
 * Replaces letters in other forms by plain ones, and removes marks and invisible characters. It goes to
 * upper case first, as some letters (`ı`, `ſ`) have a plain form only there.
 */
const plainLetters = (text: string) =>
  text
    .normalize('NFKD')
    .toUpperCase()
    .toLowerCase()
    .replace(/[\p{M}\p{C}\p{Z}\p{Default_Ignorable_Code_Point}]/gu, '')
