import { americaPath } from '../america-path.ts'

export interface SiteSeed {
  handle: 'europe' | 'america' | 'wholesale'
  name: string
  baseUrl: string
  cartUrl: string
  enabled: boolean
  primary: boolean
  language: string
  /** The commerce store's handle: two sites sell from one store, the third has its own. */
  store: string
}

/** Three sites that one server answers: by its address, by a path below it, and by another name. */
export function sitesAt(origin: string): SiteSeed[] {
  const shared = { cartUrl: '/cart', enabled: true, primary: false }
  return [
    {
      ...shared,
      handle: 'europe',
      name: 'Kettle & Quill',
      baseUrl: origin,
      language: 'en-GB',
      primary: true,
      store: 'kettle-quill',
    },
    {
      ...shared,
      handle: 'america',
      name: 'Kettle & Quill America',
      baseUrl: origin + americaPath,
      language: 'en-US',
      store: 'kettle-quill',
    },
    {
      ...shared,
      handle: 'wholesale',
      name: 'Kettle & Quill for Shops',
      baseUrl: withOtherName(origin),
      language: 'en-GB',
      store: 'wholesale',
    },
  ]
}

/** The other one of the two names that a machine has for itself. */
function withOtherName(origin: string): string {
  const url = new URL(origin)
  url.hostname = url.hostname === 'localhost' ? '127.0.0.1' : 'localhost'
  return url.origin
}
