import { Problem } from '../errors.js'
import type { Addressed } from './public-origin.js'

/** A request: a Web `Request`, or as much of one as the actions read, which costs far less to make. */
export interface ActionRequest extends Addressed {
  method: string
  body: AsyncIterable<Uint8Array> | null
}

/** The largest body that any action reads (`decisions.md`, Front door). */
export const bodyLimitBytes = 256 * 1024

/**
 * Reads the body, and stops as soon as it is larger than the limit.
 *
 * @throws {Problem} BODY_TOO_LARGE, or PARAMETER_INVALID when it is compressed or broken off.
 */
export async function readBody(
  request: Pick<ActionRequest, 'headers' | 'body'>,
): Promise<Buffer<ArrayBuffer>> {
  const announced = Number(request.headers.get('content-length'))
  if (announced > bodyLimitBytes) throw new Problem('BODY_TOO_LARGE')
  if (request.body === null) return Buffer.alloc(0)
  const encoding = request.headers.get('content-encoding') ?? 'identity'
  if (encoding.toLowerCase() !== 'identity') throw unreadable('A compressed body is not read.')

  const chunks: Uint8Array[] = []
  let size = 0
  try {
    for await (const chunk of request.body) {
      size += chunk.byteLength
      if (size > bodyLimitBytes) break
      chunks.push(chunk)
    }
  } catch (cause) {
    throw unreadable('The body could not be read.', cause)
  }
  if (size > bodyLimitBytes) throw new Problem('BODY_TOO_LARGE')
  return Buffer.concat(chunks, size)
}

const unreadable = (message: string, cause?: unknown) =>
  new Problem('PARAMETER_INVALID', {
    message,
    ...(cause !== undefined && { log: { reason: String(cause) } }),
    cause,
  })
