import type { VerifiedToken } from '../../core/http/csrf.js'
import type { ParameterTree } from '../../core/http/parameters.js'

/**
 * The name of a field that people do not see and robots fill in. No browser fills in a field of this
 * name by itself, and no action reads it.
 */
export const honeypotParameter = 'homepage'

/** Whether a robot filled in the form: it filled in the invisible field, or was faster than a person. */
export function isRobot(token: VerifiedToken, tree: ParameterTree, now: Date): boolean {
  return isFilledIn(tree[honeypotParameter]) || isTooFast(token, now)
}

/** True also for a list or an object, which no form of ours posts. */
const isFilledIn = (value: unknown) =>
  value !== undefined && (typeof value !== 'string' || value.trim() !== '')

/** A token that was issued further ahead than this says nothing: the clock that issued it was ahead. */
const aheadMs = 60_000

function isTooFast({ issuedAt, guard }: VerifiedToken, now: Date): boolean {
  const elapsedMs = now.getTime() - issuedAt.getTime()
  return guard !== undefined && elapsedMs < guard.minimumSeconds * 1000 && elapsedMs > -aheadMs
}
