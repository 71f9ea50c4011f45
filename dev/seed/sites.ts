export interface SiteSeed {
  handle: 'europe' | 'america' | 'wholesale'
  name: string
  baseUrl: string
  cartUrl: string
  enabled: boolean
  primary: boolean
  /** The commerce store's handle: two sites sell from one store, the third has its own. */
  store: string
}

/**
 * Three sites that one server answers: 127.0.0.1, localhost and a name below it all lead to the
 * same port.
 */
export function sitesAt(origin: string): SiteSeed[] {
  const shared = { cartUrl: '/', enabled: true, primary: false }
  return [
    {
      ...shared,
      handle: 'europe',
      name: 'Kettle & Quill',
      baseUrl: origin,
      primary: true,
      store: 'kettle-quill',
    },
    {
      ...shared,
      handle: 'america',
      name: 'Kettle & Quill America',
      baseUrl: withHostname(origin, 'localhost'),
      store: 'kettle-quill',
    },
    {
      ...shared,
      handle: 'wholesale',
      name: 'Kettle & Quill for Shops',
      baseUrl: withHostname(origin, 'shops.localhost'),
      store: 'wholesale',
    },
  ]
}

function withHostname(origin: string, hostname: string): string {
  const url = new URL(origin)
  url.hostname = hostname
  return url.origin
}
