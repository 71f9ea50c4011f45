import * as z from 'zod/mini'
import type { CallContext } from './ask-api.js'
import { ask, nextCursor, pageLinks } from './call.js'
import type { Reply } from './call-answer.js'

export interface KlaviyoList {
  id: string
  name: string
}

export interface AccountLists {
  lists: KlaviyoList[]
  /** False when the account has more lists than are read. */
  isComplete: boolean
}

const listsDocument = z.object({
  data: z.array(
    z.object({ id: z.string(), attributes: z.object({ name: z.nullish(z.string()) }) }),
  ),
  links: pageLinks,
})

/** A thousand lists: Klaviyo allows ten a page. The limit also ends a cycle of next pages. */
const pageLimit = 100

/** If a page fails the whole read fails, because a part of the lists would look complete. */
export async function readLists(context: CallContext): Reply<AccountLists> {
  const lists = new Map<string, KlaviyoList>()
  const query: Record<string, string> = { 'fields[list]': 'name', 'page[size]': '10' }
  for (let page = 1; ; page++) {
    const answer = await ask(context, { path: '/api/lists', query, schema: listsDocument })
    if ('failed' in answer) return answer
    const { document, ...rate } = answer
    for (const { id, attributes } of document.data) {
      lists.set(id, { id, name: attributes.name ?? '' })
    }
    const cursor = nextCursor(document.links)
    if (cursor === undefined || page === pageLimit) {
      const byName = [...lists.values()].sort((a, b) => a.name.localeCompare(b.name, 'en'))
      return { lists: byName, isComplete: cursor === undefined, ...rate }
    }
    query['page[cursor]'] = cursor
  }
}
