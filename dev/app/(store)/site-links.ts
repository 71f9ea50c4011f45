import { readSite } from '../../storeconnect.ts'

/**
 * Makes paths of the shop paths of the site that the visitor is on: `/cart` is `/us/cart` in America.
 * Forms need it as well as links, as an action knows its site by its address.
 */
export async function siteLinks(): Promise<(path: string) => string> {
  const site = await readSite()
  const base = site ? new URL(site.baseUrl).pathname.replace(/\/+$/, '') : ''
  return (path) => (path === '/' && base !== '' ? base : base + path)
}
