import * as z from 'zod/mini'
import type { Reply } from './call-answer.js'
import { ask } from './call.js'
import type { CallContext } from './ask-api.js'

const profilesDocument = z.object({
  data: z.array(
    z.object({ id: z.string(), attributes: z.object({ email: z.nullish(z.string()) }) }),
  ),
})

/** Makes one request, or more when long emails would make its URL too long. */
export async function findProfiles(
  context: CallContext,
  emails: readonly string[],
): Reply<{ ids: ReadonlyMap<string, string> }> {
  const ids = new Map<string, string>()
  let rate = {}
  for (const filter of filtersFor('email', emails)) {
    const query = { filter, 'fields[profile]': 'email', 'page[size]': `${pageSize}` }
    const question = { path: '/api/profiles', query, schema: profilesDocument }
    const answer = await ask(context, question)
    if ('failed' in answer) return answer
    const { document, ...rest } = answer
    rate = rest
    for (const { id, attributes } of document.data) {
      if (typeof attributes.email === 'string') ids.set(attributes.email.toLowerCase(), id)
    }
  }
  return { ids, ...rate }
}

/** The most profiles that Klaviyo returns on a page. */
export const pageSize = 100

/** The longest filter in a URL, in characters, so that no server on the way refuses the URL. */
const filterLength = 6000

/** Splits the values into as few filters as their lengths and the page size allow. */
export function filtersFor(field: 'email' | 'phone_number', values: readonly string[]): string[] {
  const filters: string[][] = []
  let length = Number.POSITIVE_INFINITY
  for (const value of new Set(values)) {
    const quoted = `"${value.replace(/["\\]/g, '\\$&')}"`
    const added = encodeURIComponent(`${quoted},`).length
    if (length + added > filterLength || filters.at(-1)?.length === pageSize) {
      filters.push([])
      length = 0
    }
    filters.at(-1)?.push(quoted)
    length += added
  }
  return filters.map((quoted) => `any(${field},[${quoted.join(',')}])`)
}
