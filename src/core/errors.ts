import type { PlainKey } from './translations/translation.js'

interface ProblemKind {
  status: number
  message: string
  /** Its sentence in the languages of the admin and of the pages; none where only machines read it. */
  text?: PlainKey
}

const failure = {
  status: 500,
  message: 'The shop could not answer. Its log says why.',
  text: 'overviewUnanswered',
} as const

/**
 * Every error of a request, by its stable code. A message never reveals the cause of a 500 (`docs/interface.md`
 * (Errors)).
 */
export const problems = {
  ACTION_NOT_FOUND: { status: 404, message: 'There is no such action.', text: 'errorAction' },
  METHOD_NOT_ALLOWED: {
    status: 405,
    message: 'This action does not accept that method.',
    text: 'errorMethod',
  },
  BODY_TOO_LARGE: {
    status: 413,
    message: 'The body is larger than 256 KiB.',
    text: 'errorTooLarge',
  },
  PARAMETER_INVALID: { status: 400, message: 'A parameter is not valid.', text: 'errorParameter' },
  CSRF_INVALID: {
    status: 400,
    message: 'The form is out of date, or cookies are off. Reload the page and send it again.',
    text: 'errorForm',
  },
  BODY_NOT_JSON: {
    status: 415,
    message: 'The body must be JSON, with the content type application/json.',
    text: 'errorNotJson',
  },
  ORIGIN_FOREIGN: {
    status: 400,
    message: 'The form was not sent from a page of this site.',
    text: 'errorOrigin',
  },
  REDIRECT_INVALID: {
    status: 400,
    message: 'The parameter "redirect" is not valid.',
    text: 'errorParameter',
  },
  FORWARD_NOT_ALLOWED: {
    status: 400,
    message: 'The parameter "forward" must not lead to that action.',
    text: 'errorParameter',
  },
  FORWARD_NOT_FOUND: {
    status: 404,
    message: 'There is no action of the name in the parameter "forward".',
    text: 'errorParameter',
  },
  SHIPPING_ACTION_INVALID: {
    status: 400,
    message: 'The parameter "action" must be "export" or "shipnotify".',
  },
  ACCESS_DENIED: {
    status: 401,
    message: 'The username or the password did not match.',
    text: 'errorAccess',
  },
  LOGIN_MISSING: {
    status: 401,
    message:
      'No username and password arrived. Some servers and proxies take the header "Authorization" away.',
    text: 'errorAccess',
  },
  TOKEN_REFUSED: { status: 401, message: 'The token is missing or wrong.' },
  SIGNATURE_REFUSED: { status: 401, message: 'The signature is wrong, or its key is not known.' },
  TOO_MANY_FAILED_LOGINS: {
    status: 429,
    message: 'Too many failed logins. Try again later.',
    text: 'errorLogins',
  },
  POSTS_THROTTLED: {
    status: 429,
    message: 'Too many posts. Try again later.',
    text: 'errorPosts',
  },
  PRODUCT_IN_STOCK: {
    status: 409,
    message: 'This product is in stock. You can buy it now.',
    text: 'errorInStock',
  },
  BACK_IN_STOCK_OFF: {
    status: 409,
    message: 'This shop cannot tell you when this product is in stock again.',
    text: 'errorBackInStock',
  },
  ORDER_NUMBER_MISSING: { status: 406, message: 'The parameter "order_number" is missing.' },
  ORDER_NOT_FOUND: { status: 404, message: 'No order matches that order number.' },
  CART_NUMBER_MISSING: {
    status: 400,
    message: 'The parameter "number" is missing.',
    text: 'restoreNumberMissing',
  },
  CART_NOT_FOUND: { status: 404, message: 'No cart matches this link.', text: 'restoreNotFound' },
  CART_COMPLETED: {
    status: 400,
    message: 'This cart has been bought already.',
    text: 'restoreCompleted',
  },
  CART_OF_OTHER_STORE: {
    status: 400,
    message: 'This cart belongs to another store.',
    text: 'restoreOtherStore',
  },
  CART_URL_MISSING: {
    status: 400,
    message: 'This site has no page that shows a cart.',
    text: 'restoreCartUrlMissing',
  },
  CART_NOTHING_LEFT: {
    status: 400,
    message: 'Nothing in this cart can be bought any more.',
    text: 'restoreNothingLeft',
  },
  LINK_EXPIRED: { status: 400, message: 'This link has expired.', text: 'restoreLinkExpired' },
  DATABASE_NOT_SUPPORTED: {
    status: 503,
    message: "Storeconnect does not work with this store's database.",
  },
  HOST_NOT_SUPPORTED: {
    status: 503,
    message: "Storeconnect does not work on this store's host.",
  },
  EMAIL_INVALID: { status: 400, message: 'This is not an email address.', text: 'errorEmail' },
  PERSON_INVALID: {
    status: 400,
    message: 'This is neither an email address nor a phone number.',
    text: 'personInvalid',
  },
  ERASURE_OF_ADMIN: {
    status: 409,
    message: 'This is the account of an admin. Take away the role first.',
    text: 'errorErasureOfAdmin',
  },
  ORDER_NOT_FINISHED: {
    status: 409,
    message:
      'The payment method does not confirm the payment, or cannot be asked. The log says why.',
    text: 'finishOrderUnconfirmed',
  },
  SETTING_BLANK: failure,
  SHOP_URL_MISSING: failure,
  STORE_FIELD_NOT_FOUND: failure,
  STATUS_NOT_FOUND: failure,
  ORDER_NOT_SAVED: failure,
  ORDER_NOT_VALID: failure,
  KEYS_UNREACHABLE: {
    status: 503,
    message: "ShipStation's keys could not be read, so its signature could not be checked.",
  },
  SHOP_BUSY: {
    status: 503,
    message: 'The shop is busy. Try again in half a minute.',
    text: 'errorBusy',
  },
  UNEXPECTED: failure,
} as const satisfies Record<string, ProblemKind>

/** A stable, public error code. */
export type ProblemCode = keyof typeof problems

export const problemText = (code: ProblemCode): PlainKey | undefined => {
  const kind: ProblemKind = problems[code]
  return kind.text
}

interface ProblemDetails {
  /** Replaces the message of the code. Ignored for a 500. */
  message?: string
  headers?: Record<string, string>
  /** Details for the log only, such as the reference of the order. */
  log?: Record<string, unknown>
  cause?: unknown
  /** Replaces the message on a page that a person sees. */
  page?: ProblemPageText | undefined
}

/** The texts of an error page, in the language of its site. */
export interface ProblemPageText {
  /** A BCP 47 tag. */
  language: string
  /** Whether the language is that of the browser. */
  isOfBrowser: boolean
  message: string
  /** The site's name; blank for none. */
  brand: string
  /** A link that leads the visitor on. */
  link: { text: string; url: string } | undefined
}

/** An error with a code. Any part of an action may throw it; the front door turns it into a reply. */
export class Problem extends Error {
  override readonly name = 'Problem'
  readonly status: number
  readonly headers: Record<string, string>
  readonly log: Record<string, unknown>
  readonly page: ProblemPageText | undefined

  constructor(
    readonly code: ProblemCode,
    { message, headers = {}, log = {}, cause, page }: ProblemDetails = {},
  ) {
    const known = problems[code]
    super(known.status === 500 ? known.message : (message ?? known.message), { cause })
    this.status = known.status
    this.headers = known.status === 503 ? { 'retry-after': '30', ...headers } : headers
    this.log = log
    this.page = page
  }
}
