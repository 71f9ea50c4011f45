/**
 * Whether the request asks for JSON: it says so with `X-Requested-With: XMLHttpRequest`, or its
 * `Accept` ranks JSON above HTML (`decisions.md`, Front door).
 */
export function prefersJson(headers: Headers): boolean {
  if (headers.get('x-requested-with')?.toLowerCase() === 'xmlhttprequest') return true
  const accept = headers.get('accept')
  if (accept === null) return false
  return quality(accept, isJson) > quality(accept, isHtml)
}

const isJson = (type: string) => type === 'application/json' || /^application\/.+\+json$/.test(type)
const isHtml = (type: string) => type === 'text/html' || type === 'application/xhtml+xml'

/** The highest q that `Accept` gives to a type; 0 when it does not name one. */
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
