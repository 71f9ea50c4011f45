import { parseUrl } from '../../core/http/public-origin.js'

/** An absolute http(s) URL that the schema's `xs:anyURI` accepts, or empty text. The base URL completes a path. */
export function imageUrl(text: string, baseUrl: string): string {
  const url = text === '' ? undefined : parseUrl(text, baseUrl || undefined)
  if (url === undefined) return ''
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return ''
  if (!/^[\w\-.~!$&'()*+,;=:[\]]+$/.test(url.host)) return ''
  // The WHATWG URL parser lets through characters and lone percent signs that RFC 3986 does not.
  const path = encodeRest(url.pathname)
  const search = url.search === '' ? '' : `?${encodeRest(url.search.slice(1))}`
  return `${url.origin}${path}${search}`
}

const encodeRest = (part: string) =>
  part
    .replace(/%(?![\dA-Fa-f]{2})/g, '%25')
    .replace(/[^\w\-.~:/?@!$&'()*+,;=%]/g, (character) => encodeURIComponent(character))
