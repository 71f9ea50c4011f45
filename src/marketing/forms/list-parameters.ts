import { Problem } from '../../core/errors.js'
import type { ParameterTree } from '../../core/http/parameters.js'
import type { LeaveOut } from '../klaviyo/left-out.js'
import { postedText } from './posted-text.js'

/** The most lists that one post may name (`docs/interface.md` (Lists)). */
const listLimit = 100

/** So many count where no setting names the lists: each is a call, and any visitor can post. */
export const countedLists = 10

const listId = /^[A-Za-z0-9]{1,64}$/

export interface PostedLists {
  lists: string[]
  isSubscription: boolean
  isUnsubscription: boolean
}

/** Without list parameters, `subscribe=1` subscribes to the list of the checkout's consents, if the settings allow it. */
export function readConsentList(
  tree: ParameterTree,
  { consentList, followUnsubscribes }: { consentList: string; followUnsubscribes: boolean },
): PostedLists {
  const isSubscription = tree.subscribe === '1' && followUnsubscribes && consentList !== ''
  return {
    lists: isSubscription ? [consentList] : [],
    isSubscription,
    isUnsubscription: tree.subscribe === '0' && followUnsubscribes,
  }
}

/**
 * `docs/interface.md` (Lists).
 *
 * @throws {Problem} PARAMETER_INVALID when there are more than 100 lists.
 */
export function readLists(
  tree: ParameterTree,
  {
    allowedLists,
    followUnsubscribes,
    leaveOut,
  }: { allowedLists: readonly string[]; followUnsubscribes: boolean; leaveOut: LeaveOut },
): PostedLists {
  const one = postedText(tree.list, 'list', leaveOut)
  const field = one === undefined ? 'lists[]' : 'list'
  const posted: unknown[] = [one ?? tree.lists].flat()
  if (posted.length > listLimit) {
    throw new Problem('PARAMETER_INVALID', { message: `There are more than ${listLimit} lists.` })
  }
  const ids = posted.flatMap((item) => {
    const id = postedText(item, field, leaveOut)
    const reason = id && reasonAgainst(id, allowedLists)
    if (reason) leaveOut(field, reason)
    return id === undefined || reason ? [] : id
  })
  const lists = [...new Set(ids)]
  const counted = allowedLists.length > 0 ? lists : lists.slice(0, countedLists)
  if (counted.length < lists.length) leaveOut(field, `more than ${countedLists} lists`)
  return {
    lists: counted,
    isSubscription: tree.subscribe === '1',
    isUnsubscription: tree.subscribe === '0' && followUnsubscribes,
  }
}

function reasonAgainst(id: string, allowedLists: readonly string[]): string | undefined {
  if (!listId.test(id)) return 'not a list id'
  if (allowedLists.length > 0 && !allowedLists.includes(id)) {
    return 'not among the lists that the settings allow'
  }
  return undefined
}
