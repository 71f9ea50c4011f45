import type { ProblemCode } from '../errors.js'
import type { PlainKey } from './translation.js'

/**
 * The texts of errors that people see, in the admin or on a page. The others are answers to machines. The
 * English sentence of an error is its own message, as it may be more precise.
 */
export const problemTexts: Readonly<Partial<Record<ProblemCode, PlainKey>>> = {
  ACTION_NOT_FOUND: 'errorAction',
  METHOD_NOT_ALLOWED: 'errorMethod',
  BODY_TOO_LARGE: 'errorTooLarge',
  PARAMETER_INVALID: 'errorParameter',
  CSRF_INVALID: 'errorForm',
  BODY_NOT_JSON: 'errorNotJson',
  ORIGIN_FOREIGN: 'errorOrigin',
  REDIRECT_INVALID: 'errorParameter',
  FORWARD_NOT_ALLOWED: 'errorParameter',
  FORWARD_NOT_FOUND: 'errorParameter',
  ACCESS_DENIED: 'errorAccess',
  TOO_MANY_FAILED_LOGINS: 'errorLogins',
  POSTS_THROTTLED: 'errorPosts',
  CART_NUMBER_MISSING: 'restoreNumberMissing',
  CART_NOT_FOUND: 'restoreNotFound',
  CART_COMPLETED: 'restoreCompleted',
  CART_OF_OTHER_STORE: 'restoreOtherStore',
  CART_URL_MISSING: 'restoreCartUrlMissing',
  LINK_EXPIRED: 'restoreLinkExpired',
  EMAIL_INVALID: 'errorEmail',
  ERASURE_OF_ADMIN: 'errorErasureOfAdmin',
  SETTING_BLANK: 'overviewUnanswered',
  SHOP_URL_MISSING: 'overviewUnanswered',
  STORE_FIELD_NOT_FOUND: 'overviewUnanswered',
  STATUS_NOT_FOUND: 'overviewUnanswered',
  ORDER_NOT_SAVED: 'overviewUnanswered',
  ORDER_NOT_VALID: 'overviewUnanswered',
  SHOP_BUSY: 'errorBusy',
  UNEXPECTED: 'overviewUnanswered',
}
