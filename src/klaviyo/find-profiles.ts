import { z } from 'zod'
import type { MarketingPlatform } from '../marketing/platform.js'
import { rateOf, type CallParts } from './call.js'
import { readAnswer } from './read-answer.js'
import { filtersFor } from './profile-filter.js'

const profilesDocument = z.object({
  data: z.array(
    z.object({ id: z.string(), attributes: z.object({ email: z.string().nullish() }) }),
  ),
})

/** One request, and more only where long emails would make its URL too long. */
export function findProfiles(parts: CallParts): MarketingPlatform['findProfiles'] {
  return async (emails, options) => {
    const ids = new Map<string, string>()
    let rate = {}
    for (const filter of filtersFor(emails)) {
      const query = { filter, 'fields[profile]': 'email', 'page[size]': '100' }
      const answer = await parts.exchange({ method: 'GET', path: '/api/profiles', query }, options)
      rate = rateOf(answer, parts.now())
      const read = readAnswer(answer, profilesDocument, { now: parts.now(), ...options })
      if ('failed' in read) return { ...read, ...rate }
      for (const { id, attributes } of read.document.data) {
        if (typeof attributes.email === 'string') ids.set(attributes.email.toLowerCase(), id)
      }
    }
    return { ids, ...rate }
  }
}
