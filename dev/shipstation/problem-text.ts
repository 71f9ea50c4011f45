import { z } from 'zod'

import { ShipStationError } from './shipstation-error.ts'
import { printable, shortened } from './printable.ts'

/** What went wrong and what to do about it, for a person. */
export function problemText(error: unknown): string {
  if (!(error instanceof ShipStationError))
    return error instanceof Error ? error.message : String(error)
  switch (error.code) {
    case 'SHOP_UNREACHABLE':
      return `${error.message}${networkReason(error)}. Is the store running? Another address goes in --url.`
    case 'CREDENTIALS_REFUSED':
      return `${error.message}. Check --username and --password against the store's shipping settings.`
    case 'DEADLINE_PASSED':
      return `${error.message}. The store is up but slow: its first request after a start can be; try again.`
    case 'SHOP_REFUSED':
      return [error.message, answerText(error.answer)].filter((part) => part !== '').join(': ')
    default:
      return printable(error.message)
  }
}

/** Trying the next order would fail in the same way. */
export const isHopeless = (error: unknown): boolean =>
  error instanceof ShipStationError &&
  ['SHOP_UNREACHABLE', 'CREDENTIALS_REFUSED'].includes(error.code)

const withCode = z.object({ code: z.string() })

/** fetch says "fetch failed"; the reason is the cause's cause: ` (ECONNREFUSED)`. */
function networkReason({ cause }: ShipStationError): string {
  const reason = withCode.safeParse(cause instanceof Error ? cause.cause : undefined)
  return reason.success ? ` (${reason.data.code})` : ''
}

const jsonErrors = z.object({ errors: z.array(z.object({ message: z.string() })).min(1) })

/** The message within a CMS's error answer: JSON, or a page. */
function answerText(answer: string): string {
  const messages = jsonErrors.safeParse(parsedJson(answer))
  if (messages.success) {
    return shortened(printable(messages.data.errors.map(({ message }) => message).join('; ')), 200)
  }
  const page = answer
    .replace(/<(head|style|script)\b[\s\S]*?<\/\1>/gi, ' ')
    .replace(/<[^>]*>/g, ' ')
  return shortened(printable(page), 200)
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}
