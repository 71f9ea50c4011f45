import { publicUrl } from './public-origin.js'

/**
 * The URL that the visitor's browser shows, without its query, where the request may have none of its
 * own: by its host alone then. Undefined where nothing tells.
 */
export function visibleUrl({
  url,
  headers,
}: {
  url: string | undefined
  headers: Headers
}): string | undefined {
  if (url !== undefined) return URL.canParse(url) ? publicUrl({ url, headers }) : undefined
  return headers.has('host') ? publicUrl({ url: 'http://localhost/', headers }) : undefined
}
