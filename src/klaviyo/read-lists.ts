import { z } from 'zod'
import type { AccountLists, PlatformList, Reply } from '../marketing/platform.js'
import { ask, nextCursor, pageLinks } from './ask.js'
import type { CallContext } from './exchange.js'

const listsDocument = z.object({
  data: z.array(z.object({ id: z.string(), attributes: z.object({ name: z.string().nullish() }) })),
  links: pageLinks,
})

/** A thousand lists, ten a page at most. It also ends a circle of links to the next page. */
const pageLimit = 100

/** All lists, by their names. A page that fails fails them all: half of them would look whole. */
export async function readLists(context: CallContext): Reply<AccountLists> {
  const lists = new Map<string, PlatformList>()
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
