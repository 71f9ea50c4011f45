import { ShipStationError } from './shipstation-error.ts'

/** A way to call a shop: the global `fetch`, or a handler that is called with no network between. */
export type ShopFetch = (request: Request) => Promise<Response>

export interface ShopCall {
  method: 'GET' | 'POST'
  url: URL
  contentType?: string
  body?: string
}

export interface ShopAnswer {
  /** Always 2xx. */
  status: number
  contentType: string
  bytes: Uint8Array
}

interface ShopCallerParts {
  fetch: ShopFetch
  username: string
  password: string
  deadlineSeconds: number
}

/** Calls a shop with credentials and a deadline; what is no complete 2xx answer is a `ShipStationError`. */
export const createShopCaller =
  ({ fetch, username, password, deadlineSeconds }: ShopCallerParts) =>
  async ({ method, url, contentType, body }: ShopCall): Promise<ShopAnswer> => {
    const signal = AbortSignal.timeout(Math.ceil(deadlineSeconds * 1000))
    const headers = new Headers({ authorization: basicAuthorization(username, password) })
    if (contentType !== undefined) headers.set('content-type', contentType)
    // A followed redirect would turn the POST into a GET, and take the credentials elsewhere.
    const request = new Request(url, {
      method,
      headers,
      body: body ?? null,
      redirect: 'manual',
      signal,
    })

    const answer = await Promise.race([
      readAnswer(fetch, request),
      // A handler in the same process may not heed the signal: the deadline does not rely on it.
      whenAborted(signal),
    ]).catch((cause: unknown) => {
      throw noAnswer({ cause, url, deadlineSeconds, isLate: signal.aborted })
    })
    if (answer.status >= 200 && answer.status <= 299) return answer
    throw refusal(answer)
  }

async function readAnswer(fetch: ShopFetch, request: Request): Promise<ShopAnswer> {
  const response = await fetch(request)
  return {
    status: response.status,
    contentType: response.headers.get('content-type') ?? '',
    bytes: new Uint8Array(await response.arrayBuffer()),
  }
}

const whenAborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
  })

/** RFC 7617, with the user's text in UTF-8. */
const basicAuthorization = (username: string, password: string): string =>
  `Basic ${Buffer.from(`${username}:${password}`, 'utf8').toString('base64')}`

interface NoAnswer {
  cause: unknown
  url: URL
  deadlineSeconds: number
  isLate: boolean
}

function noAnswer({ cause, url, deadlineSeconds, isLate }: NoAnswer): ShipStationError {
  const address = `${url.origin}${url.pathname}`
  return isLate
    ? new ShipStationError(
        'DEADLINE_PASSED',
        `No complete answer from ${address} within ${deadlineSeconds} s`,
        { cause },
      )
    : new ShipStationError('SHOP_UNREACHABLE', `No answer from ${address}`, { cause })
}

function refusal({ status, bytes }: ShopAnswer): ShipStationError {
  const details = { status, answer: new TextDecoder().decode(bytes) }
  return status === 401
    ? new ShipStationError('CREDENTIALS_REFUSED', 'The shop refused the credentials (401)', details)
    : new ShipStationError('SHOP_REFUSED', `The shop answered ${status}`, details)
}
