/**
 * Whether the request asks for JSON: it has `X-Requested-With: XMLHttpRequest`, or its `Accept` ranks
 * JSON above HTML (`docs/interface.md` (Front door)).
 */
export function prefersJson(headers: Headers): boolean {
  if (headers.get('x-requested-with')?.toLowerCase() === 'xmlhttprequest') return true
  const accept = headers.get('accept')
  if (accept === null) return false
  return quality(accept, isJson) > quality(accept, isHtml)
}

const isJson = (type: string) => type === 'application/json' || /^application\/.+\+json$/.test(type)
const isHtml = (type: string) => type === 'text/html' || type === 'application/xhtml+xml'

/** The highest q that `Accept` gives to a matching type; 0 when it names none. */
function quality(accept: string, matches: (type: string) => boolean): number {
  let highest = 0
  for (const range of accept.toLowerCase().split(',')) {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim())
    if (!matches(type)) continue
    const q = parameters.find((parameter) => parameter.startsWith('q='))
    const value = q === undefined ? 1 : Number(q.slice(2))
    if (value > highest) highest = value
  }
  return highest
}

/** Browsers drop longer cookies. Name and attributes count. */
export const cookieLimitBytes = 4096

export function cookieValue(headers: Headers, name: string): string | undefined {
  for (const pair of headers.get('cookie')?.split(';') ?? []) {
    const [key = '', ...value] = pair.split('=')
    if (key.trim() === name) return value.join('=').trim()
  }
  return undefined
}

/** Whether a browser prefetches the page, so that nobody may ever see it. */
export const isFetchedAhead = (headers: Headers): boolean =>
  /prefetch|prerender/i.test(`${headers.get('sec-purpose') ?? ''} ${headers.get('purpose') ?? ''}`)

/**
 * Whether the router of Next.js fetches the page, to show it within the one that is open. It opens the URL itself
 * when it gets no page of its own.
 */
export const isRouterFetch = (headers: Headers): boolean => headers.get('rsc') === '1'
