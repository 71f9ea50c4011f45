import type { ServerResponse } from 'node:http'
import type { ReadableStreamReadResult } from 'node:stream/web'
import { pipeline } from 'node:stream/promises'
import type { Reply } from '../../core/http/reply.js'

type Chunk = ReadableStreamReadResult<Uint8Array>
type ChunkReader = ReadableStreamDefaultReader<Uint8Array>

/**
 * Writes an answer. A body of one chunk is sent with its length; a body of several chunks is sent as
 * fast as the client reads. When the body fails, the connection breaks, so that no client mistakes a
 * part for the whole.
 *
 * @throws {TypeError} with nothing written, when a header has characters that HTTP does not allow.
 */
export async function sendResponse(response: Reply, outgoing: ServerResponse): Promise<void> {
  outgoing.statusCode = response.status
  for (const [name, value] of response.headers) {
    if (name !== 'set-cookie') outgoing.setHeader(name, value)
  }
  const cookies = response.headers.getSetCookie()
  if (cookies.length > 0) outgoing.setHeader('set-cookie', cookies)
  try {
    await sendBody(response, outgoing)
  } catch {
    // The body's maker has logged its own error; a client that went away needs no log.
    outgoing.destroy()
  }
}

async function sendBody({ body, status }: Reply, outgoing: ServerResponse): Promise<void> {
  if (body === null || typeof body === 'string' || body instanceof Uint8Array) {
    sendWhole(body ?? '', status, outgoing)
    return
  }
  const reader = body.getReader()
  const first = await reader.read()
  const second = first.done ? undefined : await reader.read()
  if (second?.done === false) await pipeline(chunksOf(reader, [first, second]), outgoing)
  else sendWhole(first.value ?? '', status, outgoing)
}

function sendWhole(body: string | Uint8Array, status: number, outgoing: ServerResponse): void {
  const hasLength = outgoing.req.method !== 'HEAD' && status !== 304
  if (hasLength) outgoing.setHeader('content-length', Buffer.byteLength(body))
  outgoing.end(body)
}

/** The chunks that were read already, then the rest. The reading ends when the client goes away. */
async function* chunksOf(reader: ChunkReader, read: readonly Chunk[]): AsyncGenerator<Uint8Array> {
  try {
    for (const { value } of read) if (value !== undefined) yield value
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value
  } finally {
    await reader.cancel()
  }
}
