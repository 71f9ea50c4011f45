/** Pages that were answered one after the other. */
interface Series {
  first: number
  last: number
}

export interface AnsweredPages {
  /** In the order of their first requests, such as `1-3, 5, 4`. */
  text: string
  count: number
  first: number
  /** The last page before the first one that was not answered; 0 when page 1 was not. */
  answeredTo: number
  isInOrder: boolean
  has: (page: number) => boolean
  withPage: (page: number) => AnsweredPages
}

function answeredPages(text: string): AnsweredPages {
  const all = text.split(', ').flatMap((part): Series[] => {
    if (part === '') return []
    const [first = 0, last = first] = part.split('-').map(Number)
    return [{ first, last }]
  })
  const has = (page: number) => all.some(({ first, last }) => first <= page && page <= last)
  const withPage = (page: number): AnsweredPages => {
    const end = all.at(-1)
    const series =
      end?.last === page - 1
        ? [...all.slice(0, -1), { first: end.first, last: page }]
        : [...all, { first: page, last: page }]
    return answeredPages(
      series
        .map(({ first, last }) => (first === last ? String(first) : `${first}-${last}`))
        .join(', '),
    )
  }
  const sorted = all.toSorted((one, other) => one.first - other.first)
  return {
    text,
    has,
    withPage,
    count: all.reduce((sum, { first, last }) => sum + last - first + 1, 0),
    first: sorted[0]?.first ?? 1,
    answeredTo: sorted.reduce((to, { first, last }) => (first === to + 1 ? last : to), 0),
    isInOrder: all.length <= 1,
  }
}

/** The pages of a row of `shipping-pulls`. Rows of earlier editions have the highest one alone. */
export function answeredPagesOf(row: Record<string, unknown>): AnsweredPages {
  const { state, answered, pages, highestPage } = row
  if (typeof answered === 'string') return answeredPages(answered)
  const last = Math.min(Number(highestPage ?? 0), Number(pages))
  // A list is no pull before a page of it was answered.
  const isPull = typeof state === 'string' && last > 0
  return answeredPages(isPull ? (last === 1 ? '1' : `1-${last}`) : '')
}
