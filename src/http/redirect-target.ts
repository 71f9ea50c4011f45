// Stands for whatever origin the visitor is on.
const here = 'https://origin.invalid'

/**
 * Where a redirect leads, in the one spelling that all browsers read alike: an http(s) URL, or a
 * path that stays on the visitor's origin.
 *
 * @throws {TypeError} for anything else, also for what only some browsers take for a path.
 */
export function redirectTarget(target: string): string {
  if (target === '' || target !== target.trim() || hasTrap(target)) throw unfit()
  if (!URL.canParse(target, here)) throw unfit()
  const url = new URL(target, here)
  if (url.username !== '' || url.password !== '') throw unfit()
  if (url.protocol !== 'https:' && url.protocol !== 'http:') throw unfit()
  if (url.origin !== here) return url.href

  const path = url.pathname + url.search + url.hash
  // `/.//host` comes out as `//host`, which is another origin.
  if (path.startsWith('//')) throw unfit()
  return path
}

/** Control characters vanish, backslashes become slashes, and two slashes start another host. */
const hasTrap = (target: string) => /[\p{Cc}\\]|^\/\//u.test(target) || !target.isWellFormed()

const unfit = () =>
  new TypeError('A redirect leads to an http(s) URL, or to a path such as "/thanks".')
