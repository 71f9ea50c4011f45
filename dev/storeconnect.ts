import config from '@payload-config'
import { storePages } from 'payload-storeconnect/next'

/** What the store's pages need of Storeconnect. */
export const {
  CsrfInput,
  FormGuardInput,
  RedirectInput,
  readBrowserCart,
  readCart,
  readFormerCart,
  readNotices,
  readSite,
  readVisitor,
} = storePages(config)
