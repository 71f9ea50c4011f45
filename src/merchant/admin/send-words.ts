import type { TranslationKey } from '../../core/payload/label.js'
import type { Meaning } from '../../marketing/delivery/attempt.js'
import { sendKindNames } from '../../marketing/delivery/send.js'
import type { SendWait } from '../../marketing/delivery/send-wait.js'
import { keyFeatures } from '../../marketing/klaviyo/key-scopes.js'
import type { StorySend } from '../story/story-entry.js'
import type { Words } from './words.js'

/** What a send is called: an event by its name, who waits by the product. */
export const sendName = (
  { kind, metric }: Pick<StorySend, 'kind'> & { metric?: string | null },
  { translate }: Pick<Words, 'translate'>,
): string => {
  const name = translate(sendKindNames[kind])
  if (kind === 'back-in-stock') return [name, metric].filter(Boolean).join(': ')
  return metric ?? name
}

/** What the answer to an attempt meant. */
export const meanings: Readonly<Record<Meaning, TranslationKey>> = {
  delivered: 'attemptDelivered',
  skipped: 'attemptSkipped',
  later: 'attemptLater',
  'given-up': 'attemptGivenUp',
  refused: 'attemptRefused',
  split: 'attemptSplit',
  reduced: 'attemptReduced',
  requeue: 'attemptRequeue',
  misconfigured: 'attemptMisconfigured',
  lost: 'attemptLost',
}

const keyProblems = {
  missing: 'apiKeyMissing',
  unreadable: 'apiKeyUnreadable',
  'variable-missing': 'overviewKeyVariable',
} as const

const waits: Readonly<Record<Exclude<SendWait['for'], 'key' | 'scope'>, TranslationKey>> = {
  'key-refused': 'waitsKeyRefused',
  'call-refused': 'waitsCallRefused',
  retired: 'alertRevisionRefused',
  outage: 'overviewOutage',
  asked: 'waitsAsked',
  limit: 'waitsLimit',
  retry: 'waitsRetry',
  earlier: 'waitsEarlier',
  'in-call': 'waitsInCall',
  nobody: 'waitsNobody',
  run: 'waitsRun',
  turn: 'waitsTurn',
}

/** Why a send waits, in a sentence. */
export function waitText(wait: SendWait, { translate, instant }: Words): string {
  if (wait.for === 'key') return translate(keyProblems[wait.problem])
  if (wait.for === 'scope') {
    const off = translate(keyFeatures[wait.feature].off)
    return translate('problemScopes', { off, scopes: wait.scopes.join(', ') })
  }
  const moment = wait.for === 'earlier' ? wait.send.acceptedAt : 'until' in wait && wait.until
  const at = moment ? instant(new Date(moment)) : ''
  const text = translate(waits[wait.for], { at })
  return wait.for === 'outage' && at !== '' ? `${text} ${translate('waitsRetry', { at })}` : text
}
