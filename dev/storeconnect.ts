import config from '@payload-config'
import { storePages } from 'payload-storeconnect/next'

/** What the store's pages need of Storeconnect. */
export const {
  CheckoutConsent,
  CsrfInput,
  FormGuardInput,
  RedirectInput,
  readBrowserCart,
  readCart,
  readFormerCart,
  readKlaviyoOnsite,
  readNotices,
  readSite,
  readViewedProduct,
  readVisitor,
} = storePages(config)
