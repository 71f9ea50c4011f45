import { resentAtMost, type Failure } from '../../../marketing/delivery/failures.js'
import type { Words } from '../words.js'

/** What a merchant reads before failed sends go out again: how many, and how old the oldest is. */
export function resendWarning({ count, firstAt }: Failure, words: Words): string {
  const { counted, translate, moment, ago } = words
  const sentence = counted('failuresResend', Math.min(count, resentAtMost))
  if (firstAt === undefined) return sentence
  return `${sentence} ${translate('failuresResendOldest', { at: moment(firstAt), ago: ago(firstAt) })}`
}
