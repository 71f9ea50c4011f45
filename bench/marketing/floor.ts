import { createHmac, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { jwtDecrypt } from 'jose'
import { derivedKey } from '../../src/core/signing.js'

/**
 * The least that any server has to do for a form's post, by hand and with no check besides: read the
 * body, parse it, open the session's cookie, compare the token's HMAC, answer.
 */
export function floorListener(secret: string) {
  const sessionKey = derivedKey(secret, 'session')
  const csrfKey = derivedKey(secret, 'csrf')

  return (request: IncomingMessage, response: ServerResponse): void => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.once('end', () => {
      const parameters = new URLSearchParams(Buffer.concat(chunks).toString())
      const sealed = request.headers.cookie?.split('=')[1] ?? ''
      jwtDecrypt<{ data: { id: string } }>(sealed, sessionKey).then(
        ({ payload: { data } }) => {
          const token = parameters.get('CSRF_TOKEN') ?? ''
          const dot = token.lastIndexOf('.')
          const signed = `${data.id.length}!${data.id}!${token.slice(0, dot)}`
          const mac = createHmac('sha256', csrfKey).update(signed).digest()
          const isOurs = timingSafeEqual(mac, Buffer.from(token.slice(dot + 1), 'base64url'))
          response.setHeader('content-type', 'application/json')
          response.setHeader('cache-control', 'no-store')
          response.setHeader('content-length', 9)
          response.statusCode = isOurs ? 200 : 400
          response.end('"success"')
        },
        () => response.writeHead(400).end(),
      )
    })
  }
}
