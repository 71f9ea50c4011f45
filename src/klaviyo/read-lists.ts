import { z } from 'zod'
import type { MarketingPlatform, PlatformList } from '../marketing/platform.js'
import { rateOf, type CallParts } from './call.js'
import { nextCursor } from './next-cursor.js'
import { readAnswer } from './read-answer.js'

const listsDocument = z.object({
  data: z.array(z.object({ id: z.string(), attributes: z.object({ name: z.string().nullish() }) })),
  links: z.object({ next: z.string().nullish() }).nullish(),
})

/** The most that the platform gives a page. */
const pageSize = '10'

/** A thousand lists. It also ends a circle of links to the next page. */
const pageLimit = 100

/** All lists, by their names. A page that fails fails them all: half of them would look whole. */
export function readLists({ exchange, now }: CallParts): MarketingPlatform['lists'] {
  return async (options) => {
    const lists = new Map<string, PlatformList>()
    let cursor: string | undefined
    let rate = {}
    for (let page = 0; page < pageLimit; page++) {
      const query = {
        'fields[list]': 'name',
        'page[size]': pageSize,
        ...(cursor !== undefined && { 'page[cursor]': cursor }),
      }
      const answer = await exchange({ method: 'GET', path: '/api/lists', query }, options)
      rate = rateOf(answer, now())
      const read = readAnswer(answer, listsDocument, { now: now(), ...options })
      if ('failed' in read) return { ...read, ...rate }
      for (const { id, attributes } of read.document.data) {
        lists.set(id, { id, name: attributes.name ?? '' })
      }
      cursor = nextCursor(read.document.links?.next)
      if (cursor === undefined) return { lists: byName(lists), isComplete: true, ...rate }
    }
    return { lists: byName(lists), isComplete: false, ...rate }
  }
}

const byName = (lists: ReadonlyMap<string, PlatformList>): PlatformList[] =>
  [...lists.values()].sort((one, other) => one.name.localeCompare(other.name, 'en'))
