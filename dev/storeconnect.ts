import config from '@payload-config'
import { storePages } from 'payload-storeconnect/next'

/** What the store's pages need of Storeconnect. */
export const {
  CsrfInput,
  FlashNotices,
  FormGuardInput,
  RedirectInput,
  SessionCart,
  readCart,
  readFormerCart,
  readSite,
  readVisitor,
} = storePages(config)
