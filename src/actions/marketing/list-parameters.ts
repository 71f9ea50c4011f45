import { Problem } from '../../errors.js'
import type { ParameterTree } from '../../http/parameters.js'
import type { LeaveOut } from '../../marketing/left-out.js'
import { postedText } from './posted-text.js'

/** Lists that one post may name (`decisions.md`, Front door). */
export const listLimit = 100

const listId = /^[A-Za-z0-9]{1,64}$/

/** The lists of a post, each once, and whether it subscribes to them. */
export interface PostedLists {
  lists: string[]
  isSubscription: boolean
}

/**
 * Reads `list`, else `lists[]`, and `subscribe` (`interface.md`, List parameters).
 *
 * @throws {Problem} PARAMETER_INVALID when there are more than 100 lists.
 */
export function readLists(
  tree: ParameterTree,
  { allowedLists, leaveOut }: { allowedLists: readonly string[]; leaveOut: LeaveOut },
): PostedLists {
  const ids = namedLists(tree, leaveOut).filter(({ id, field }) => {
    const reason = reasonAgainst(id, allowedLists)
    if (reason !== undefined) leaveOut(field, reason)
    return reason === undefined
  })
  return {
    lists: [...new Set(ids.map(({ id }) => id))],
    isSubscription: tree.subscribe === '1',
  }
}

interface NamedList {
  id: string
  field: string
}

function namedLists(tree: ParameterTree, leaveOut: LeaveOut): NamedList[] {
  const one = postedText(tree.list, 'list', leaveOut)
  if (one !== undefined) return [{ id: one, field: 'list' }]

  const { lists } = tree
  const posted: unknown[] = Array.isArray(lists) ? lists : [lists]
  if (posted.length > listLimit) {
    throw new Problem('PARAMETER_INVALID', { message: `There are more than ${listLimit} lists.` })
  }
  return posted.flatMap((item) => {
    const id = postedText(item, 'lists[]', leaveOut)
    return id === undefined ? [] : [{ id, field: 'lists[]' }]
  })
}

function reasonAgainst(id: string, allowedLists: readonly string[]): string | undefined {
  if (!listId.test(id)) return 'not a list id'
  if (allowedLists.length > 0 && !allowedLists.includes(id)) {
    return 'not among the lists that the settings allow'
  }
  return undefined
}
