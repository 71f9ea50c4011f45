/** What every path of the American site begins with: its pages are those of the whole shop. */
export const americaPath = '/us'

/** The path below the site of America; undefined for a path of another site. */
export function pathInAmerica(pathname: string): string | undefined {
  if (pathname === americaPath) return '/'
  return pathname.startsWith(`${americaPath}/`) ? pathname.slice(americaPath.length) : undefined
}
