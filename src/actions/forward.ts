import { Problem } from '../errors.js'
import { textParameter, type ParameterTree } from '../http/parameters.js'
import { namesOwnAction } from './own-actions.js'
import type { Action } from './visit.js'

/** Parameter that names the action which answers in the end (`interface.md`, Response parameters). */
export const forwardParameter = 'forward'

/** The actions that a post can be forwarded to. */
export interface Forwards {
  /**
   * The action that the parameters name; undefined when they name none. Ask before anything is
   * done, and call it, when all is done, with the very visit: it reads the same parameters.
   *
   * @throws {Problem} FORWARD_NOT_ALLOWED or FORWARD_NOT_FOUND.
   */
  find(tree: ParameterTree): Action | undefined
}

/**
 * Forwarding by exact name, to registered form actions only. None of them forwards on, so a post
 * is forwarded once at most.
 *
 * @throws {TypeError} when an action of our own is among them.
 */
export function createForwards({
  actions,
}: {
  actions: Readonly<Record<string, Action>>
}): Forwards {
  const own = Object.keys(actions).find(namesOwnAction)
  if (own !== undefined) throw new TypeError(`No post can be forwarded to "${own}".`)
  return {
    find(tree) {
      const path = textParameter(tree, forwardParameter)
      if (path === undefined) return undefined
      if (namesOwnAction(path)) throw new Problem('FORWARD_NOT_ALLOWED')
      const name = path.replace(/\/$/, '')
      const action = Object.hasOwn(actions, name) ? actions[name] : undefined
      if (action === undefined) throw new Problem('FORWARD_NOT_FOUND')
      return action
    },
  }
}
