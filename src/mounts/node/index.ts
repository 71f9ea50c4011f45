import type { IncomingMessage, ServerResponse } from 'node:http'
import type { BasePayload } from 'payload'
import { originOfHost } from '../../core/http/public-origin.js'
import type { ActionRequest } from '../../core/http/request-body.js'
import { safeLog } from '../../core/database/log.js'
import { builtPartsIn, frontDoorOf, installedIn, isSwitchedOff } from '../../core/installation.js'
import { sendResponse } from './send-response.js'

export interface ActionsListenerOptions {
  /**
   * The origin that clients see, such as `https://shop.example`. Set it when a proxy stands in front.
   * Default: `http://` and the request's `Host` header.
   */
  origin?: string
}

/**
 * Makes a listener that answers `/actions/*` on plain `node:http`, at the root and below the path of
 * each site. It resolves to false and writes nothing when the path is not one of these, or when
 * Storeconnect is switched off (`enabled: false`).
 *
 * @example
 * const answer = actionsListener(payload)
 * http.createServer(async (req, res) => {
 *   if (!(await answer(req, res))) nextHandler(req, res)
 * })
 */
export function actionsListener(
  payload: BasePayload,
  { origin }: ActionsListenerOptions = {},
): (request: IncomingMessage, response: ServerResponse) => Promise<boolean> {
  if (isSwitchedOff(payload.config)) return () => Promise.resolve(false)
  const frontDoor = frontDoorOf(payload)
  const ownOrigin = origin === undefined ? undefined : new URL(origin).origin

  async function answer(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    if (unknownMethod.test(incoming.method ?? '')) {
      refuse(outgoing, 405, { allow: 'GET, HEAD, POST' })
      return
    }
    const request = toRequest(incoming, ownOrigin)
    if (request === undefined) {
      refuse(outgoing, 400)
      return
    }
    const response = await frontDoor(request, { address: incoming.socket.remoteAddress })
    await sendResponse(response, outgoing)
    // The unread rest of a refused body would block the connection for the next request.
    incoming.resume()
  }

  return async (incoming, outgoing) => {
    const start = incoming.url?.indexOf('/actions/') ?? -1
    if (start === -1) return false
    if (start > 0 && !(await isSitePath(payload, incoming.url?.slice(0, start)))) return false
    try {
      await answer(incoming, outgoing)
    } catch (error) {
      safeLog(payload.logger).error({ err: error }, 'The answer could not be sent')
      refuse(outgoing, 500)
    }
    return true
  }
}

/** A `Request` cannot have these methods, and no action answers to them. */
const unknownMethod = /^(?:CONNECT|TRACE|TRACK)$/i

/** Sends a status without a body, or breaks the connection when an answer has begun already. */
function refuse(
  outgoing: ServerResponse,
  status: number,
  headers: Readonly<Record<string, string>> = {},
): void {
  if (outgoing.headersSent) {
    outgoing.destroy()
    return
  }
  for (const name of outgoing.getHeaderNames()) outgoing.removeHeader(name)
  outgoing.writeHead(status, headers).end()
}

/** Whether the text before `/actions/` is the path of a site; false when the sites cannot be read. */
async function isSitePath(payload: BasePayload, path = ''): Promise<boolean> {
  // What follows a question mark is a query and not a path.
  if (!path.startsWith('/') || path.includes('?')) return false
  try {
    return (await (await installedIn(payload))?.sites.hasPath(path)) ?? false
  } catch (error) {
    safeLog(payload.logger).error({ err: error }, 'The sites could not be read')
    return false
  }
}

/**
 * Ends the delivery of this process when its server stops. It begins no new call, and waits at most
 * ten seconds for the calls under way. A server that is killed without it loses nothing either:
 * another process makes its calls again some seconds later.
 *
 * @example
 * process.on('SIGTERM', () => void stopDelivery(payload).then(() => process.exit(0)))
 */
export async function stopDelivery(payload: BasePayload): Promise<void> {
  await builtPartsIn(payload)?.delivery.stop()
}

/** Undefined when this cannot be a request, such as one with a malformed `Host`. */
function toRequest(
  incoming: IncomingMessage,
  origin: string | undefined,
): ActionRequest | undefined {
  const method = incoming.method ?? 'GET'
  const hasBody = method !== 'GET' && method !== 'HEAD'
  try {
    const headers = new Headers()
    for (let index = 0; index + 1 < incoming.rawHeaders.length; index += 2) {
      headers.append(incoming.rawHeaders[index] ?? '', incoming.rawHeaders[index + 1] ?? '')
    }
    const base = origin ?? originOfHost('http:', headers.get('host') ?? 'localhost')
    if (base === undefined) return undefined
    if (origin !== undefined) headers.set('host', new URL(origin).host)
    // The request line begins with a slash, so it changes the path only and never the origin.
    const { href } = new URL(base + (incoming.url ?? '/'))
    // Without this option, a reader that stops early closes the connection before the answer.
    const body = hasBody ? incoming.iterator({ destroyOnReturn: false }) : null
    return { method, url: href, headers, body }
  } catch (error) {
    if (error instanceof TypeError) return undefined
    throw error
  }
}
