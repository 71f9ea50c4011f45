import type { ListReport } from '../store/payload/list-endpoint.js'

/** What the shop says of the lists, or why it says nothing. */
export type ListAnswer = ListReport | { is: 'forbidden' } | { is: 'unanswered' }

/** How long the fields of a page, and of the next pages, share one answer. */
const sharedMilliseconds = 30_000

let shared: { url: string; answer: Promise<ListAnswer>; until: number } | undefined

/** Asks once for all fields of a page. Never rejects. */
export function readListReport(url: string): Promise<ListAnswer> {
  const now = Date.now()
  if (shared?.url === url && shared.until > now) return shared.answer
  const answer = ask(url)
  const asked = { url, answer, until: now + sharedMilliseconds }
  shared = asked
  void answer.then(({ is }) => {
    if (is !== 'known') asked.until = 0
  })
  return answer
}

async function ask(url: string): Promise<ListAnswer> {
  try {
    const response = await fetch(url, { credentials: 'include' })
    if (response.status === 403) return { is: 'forbidden' }
    if (!response.ok) return { is: 'unanswered' }
    return (await response.json()) as ListReport
  } catch {
    // Whatever it was, the shop's log has it; the field says that it got no answer.
    return { is: 'unanswered' }
  }
}
