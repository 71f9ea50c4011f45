import { Problem } from '../errors.js'
import { textParameter, type ParameterTree } from './parameters.js'
import { namesOwnAction } from './own-actions.js'
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
