import type { Site } from '../../../../src/shop/sites/site.js'

/** A site that nothing is the matter with. */
export const aSite = (changes: Partial<Site> = {}): Site => ({
  id: 1,
  handle: 'shop',
  name: 'Shop',
  baseUrl: 'https://shop.example',
  enabled: true,
  primary: false,
  store: '',
  cartUrl: '/cart',
  language: '',
  ...changes,
})

/** Sites that their base URLs tell apart; the handle is the base URL. */
export const sitesAt = (...baseUrls: string[]): Site[] =>
  baseUrls.map((baseUrl, index) => aSite({ id: index + 1, handle: baseUrl, baseUrl }))
