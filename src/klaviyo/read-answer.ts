import type { z } from 'zod'
import type { CallFailure } from '../marketing/platform.js'
import { platformError } from './api-error.js'
import type { ApiAnswer } from './exchange.js'
import { errorsOf, meaningOf, unreadableAnswer } from './meaning.js'
import { failureOf, type Reading } from './outcomes.js'

/** The document that was asked for, or why there is none. `namesOne`: the path holds an id. */
export function readAnswer<Document>(
  answer: ApiAnswer,
  schema: z.ZodType<Document>,
  { namesOne = false, ...reading }: Reading & { namesOne?: boolean },
): { document: Document } | CallFailure {
  const failed = failureOf(answer, reading)
  if (failed !== undefined) return { failed }
  if (answer.is !== 'answered') return { failed: { is: 'refused', error: answer.error } }
  const meaning = meaningOf(answer, reading.now)
  if (meaning.is !== 'taken') {
    const error = platformError(answer.status, reading.apiKey, errorsOf(answer)[0])
    // Where nothing is named that could be gone, what is not there is the endpoint: a wrong URL.
    const isWrongUrl = answer.status === 404 && !namesOne
    return { failed: { is: isWrongUrl ? 'misconfigured' : 'refused', error } }
  }
  const read = schema.safeParse(meaning.document)
  return read.success
    ? { document: read.data }
    : { failed: { is: 'later', error: unreadableAnswer(answer.status), costsAttempt: true } }
}
