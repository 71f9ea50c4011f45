/** One thing that is wrong with a request, and where in it. */
export interface Problem {
  code: string
  detail: string
  /** JSON pointer into the body. */
  pointer?: string
  /** Name of the query parameter or header. */
  parameter?: string
  meta?: Record<string, unknown>
}

/** Ends a request with the platform's error document. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly status: number
  readonly problems: readonly Problem[]
  readonly headers: Readonly<Record<string, string>>

  constructor(
    status: number,
    problems: readonly Problem[],
    headers: Readonly<Record<string, string>> = {},
  ) {
    super(problems.map(({ detail }) => detail).join(' '))
    this.status = status
    this.problems = problems
    this.headers = headers
  }
}

const TITLES: Readonly<Record<number, string>> = {
  400: 'Invalid input.',
  401: 'Authentication credentials were not provided.',
  403: 'You do not have permission to perform this action.',
  404: 'Not found.',
  405: 'Method not allowed.',
  409: 'Conflict.',
  413: 'Payload too large.',
  415: 'Unsupported media type.',
  429: 'Request was throttled.',
}

/** The JSON:API error document: https://developers.klaviyo.com/en/docs/rate_limits_and_error_handling */
export function errorDocument({ status, problems }: ApiError, newId: () => string): unknown {
  return {
    errors: problems.map(({ code, detail, pointer, parameter, meta }) => ({
      id: newId(),
      status,
      code,
      title: titleOf(status),
      detail,
      source: parameter === undefined ? { pointer: pointer ?? '/data' } : { parameter },
      links: {},
      meta: meta ?? {},
    })),
  }
}

export const titleOf = (status: number): string => TITLES[status] ?? 'A server error occurred.'

export const notFound = (detail: string, pointer = '/data'): ApiError =>
  new ApiError(404, [{ code: 'not_found', detail, pointer }])
