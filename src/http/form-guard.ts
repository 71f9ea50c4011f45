import type { VerifiedToken } from './csrf.js'
import type { ParameterTree } from './parameters.js'

/**
 * A field that people do not see and robots fill in. A name that no browser completes by itself and
 * no action reads.
 */
export const honeypotParameter = 'homepage'

/** Whether a form was filled in by a robot: a field that nobody sees, or faster than anybody can. */
export function isRobot(token: VerifiedToken, tree: ParameterTree, now: Date): boolean {
  return isFilledIn(tree[honeypotParameter]) || isTooFast(token, now)
}

/** Also a list or an object, which no form of ours posts. */
const isFilledIn = (value: unknown) =>
  value !== undefined && (typeof value !== 'string' || value.trim() !== '')

const isTooFast = ({ issuedAt, guard }: VerifiedToken, now: Date) =>
  guard !== undefined && now.getTime() - issuedAt.getTime() < guard.minimumSeconds * 1000
