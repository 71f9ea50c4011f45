import type { Failure } from '../../../marketing/delivery/failures.js'

/** The part of a list's query that finds the sends of a reason among the failed ones. */
export function whereReason({ reason, isStored }: Pick<Failure, 'reason' | 'isStored'>): string {
  const and = 'where[or][0][and][1]'
  if (isStored) return `${and}[reason][equals]=${encodeURIComponent(reason)}`
  return reason === ''
    ? `${and}[error.code][exists]=false`
    : `${and}[error.code][equals]=${encodeURIComponent(reason)}`
}
