import { redirectTarget } from './redirect-target.js'

/**
 * Where something of a site is: a path hangs off the base URL, with or without a slash in front; an
 * http(s) URL stands as it is. Undefined when it, or the base URL that it needs, is fit for no
 * redirect.
 *
 * @example
 * siteUrl('https://shop.example/de', '/cart') // https://shop.example/de/cart
 */
export function siteUrl(baseUrl: string, place: string): string | undefined {
  const target = targetOf(place)
  if (target === undefined || !target.startsWith('/')) return target
  const base = targetOf(baseUrl)
  if (base === undefined || base.startsWith('/')) return undefined
  const { origin, pathname } = new URL(base)
  return origin + pathname.replace(/\/+$/, '') + target
}

function targetOf(text: string): string | undefined {
  try {
    return redirectTarget(text)
  } catch (error) {
    if (error instanceof TypeError) return undefined
    throw error
  }
}
