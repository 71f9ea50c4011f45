/**
 * Every way in which a request can fail, by its stable code. The message is what the caller reads;
 * it never tells the cause of a 500 (`interface.md`, Errors: "The reason is in the CMS log").
 */
export const problems = {
  ACTION_NOT_FOUND: { status: 404, message: 'There is no such action.' },
  METHOD_NOT_ALLOWED: { status: 405, message: 'This action does not answer to that method.' },
  BODY_TOO_LARGE: { status: 413, message: 'The body is larger than 256 KiB.' },
  PARAMETER_INVALID: { status: 400, message: 'A parameter is not valid.' },
  CSRF_INVALID: {
    status: 400,
    message: 'The form is out of date, or cookies are off. Reload the page and send it again.',
  },
  BODY_NOT_JSON: { status: 415, message: 'The body must be JSON, and say so.' },
  ORIGIN_FOREIGN: { status: 400, message: 'The form was not sent from a page of this site.' },
  REDIRECT_INVALID: { status: 400, message: 'The parameter "redirect" is not valid.' },
  FORWARD_NOT_ALLOWED: {
    status: 400,
    message: 'The parameter "forward" must not lead to that action.',
  },
  FORWARD_NOT_FOUND: {
    status: 404,
    message: 'There is no action of the name in the parameter "forward".',
  },
  SHIPPING_ACTION_INVALID: {
    status: 400,
    message: 'The parameter "action" must be "export" or "shipnotify".',
  },
  ACCESS_DENIED: { status: 401, message: 'The username or the password did not match.' },
  TOO_MANY_FAILED_LOGINS: {
    status: 429,
    message: 'Too many failed logins. Try again later.',
  },
  POSTS_THROTTLED: {
    status: 429,
    message: 'Too many posts. Try again later.',
  },
  ORDER_NUMBER_MISSING: { status: 406, message: 'The parameter "order_number" is missing.' },
  ORDER_NOT_FOUND: { status: 404, message: 'No order matches that order number.' },
  CART_NUMBER_MISSING: { status: 400, message: 'The parameter "number" is missing.' },
  CART_NOT_FOUND: { status: 404, message: 'No cart matches this link.' },
  CART_COMPLETED: { status: 400, message: 'This cart has been bought already.' },
  CART_OF_OTHER_STORE: { status: 400, message: 'This cart belongs to another store.' },
  CART_URL_MISSING: { status: 400, message: 'This site has no page that shows a cart.' },
  LINK_EXPIRED: { status: 400, message: 'This link has expired.' },
  DATABASE_NOT_SUPPORTED: {
    status: 503,
    message: "Storeconnect does not work with this store's database.",
  },
  SETTING_BLANK: { status: 500, message: 'The shop could not answer. Its log says why.' },
  STATUS_NOT_FOUND: { status: 500, message: 'The shop could not answer. Its log says why.' },
  ORDER_NOT_SAVED: { status: 500, message: 'The shop could not answer. Its log says why.' },
  ORDER_NOT_VALID: { status: 500, message: 'The shop could not answer. Its log says why.' },
  SHOP_BUSY: { status: 503, message: 'The shop is busy. Try again in half a minute.' },
  UNEXPECTED: { status: 500, message: 'The shop could not answer. Its log says why.' },
} as const satisfies Record<string, { status: number; message: string }>

/** A stable, public error code. */
export type ProblemCode = keyof typeof problems

export interface ProblemDetails {
  /** Replaces the code's own sentence for the caller. Ignored for a 500. */
  message?: string
  /** Headers of the answer, such as `Allow` or `Retry-After`. */
  headers?: Record<string, string>
  /** For the log only: what happened, with the order's reference where there is one. */
  log?: Record<string, unknown>
  cause?: unknown
  /** For a person: what the page says in place of the message. */
  page?: ProblemPageText | undefined
}

/** What the page of a problem says, in the language of the site that it is on. */
export interface ProblemPageText {
  /** BCP 47. */
  language: string
  message: string
  /** The site's name; blank for none. */
  brand: string
  /** A way on. */
  link: { text: string; url: string } | undefined
}

/** A failure with a code, thrown anywhere below a door and turned into a reply at the front door. */
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
