/** A filter for the profiles with any of these emails. */
export const profileFilter = (emails: readonly string[]): string =>
  `any(email,[${emails.map(quoted).join(',')}])`

const quoted = (text: string): string => `"${text.replace(/["\\]/g, '\\$&')}"`

/** Characters of a filter as it stands in a URL, so that no server on the way finds it too long. */
const filterLength = 6000

/** Emails in as few filters as their length allows; a hundred short ones fit in one. */
export function filtersFor(emails: readonly string[]): string[] {
  const filters: string[][] = []
  let length = Number.POSITIVE_INFINITY
  for (const email of new Set(emails)) {
    const added = encodeURIComponent(`${quoted(email)},`).length
    if (length + added > filterLength) {
      filters.push([])
      length = 0
    }
    filters.at(-1)?.push(email)
    length += added
  }
  return filters.map(profileFilter)
}
