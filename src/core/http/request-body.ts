import { Problem } from '../errors.js'
import { invalidParameter } from './parameter-tree.js'
import type { Addressed } from './public-origin.js'

/** A request: a Web `Request`, or only the parts that actions read, which cost far less to make. */
export interface ActionRequest extends Addressed {
  method: string
  body: AsyncIterable<Uint8Array> | null
}

/** @throws {Problem} METHOD_NOT_ALLOWED. */
export function requireMethod({ method }: ActionRequest, allowed: readonly string[]): void {
  if (allowed.includes(method)) return
  throw new Problem('METHOD_NOT_ALLOWED', { headers: { allow: allowed.join(', ') } })
}

/** The largest body that any action reads (`docs/interface.md` (Front door)). */
export const bodyLimitBytes = 256 * 1024

/**
 * In how many pieces a body may come: each costs time, however short it is
 * (`docs/decisions/0007-hostile-requests.md`).
 */
const pieceLimit = 1000

/**
 * Reads the body, and stops as soon as it is larger than the limit.
 *
 * @throws {Problem} BODY_TOO_LARGE, or PARAMETER_INVALID when it is compressed, broken off or in too many pieces.
 */
export async function readBody(
  request: Pick<ActionRequest, 'headers' | 'body'>,
): Promise<Buffer<ArrayBuffer>> {
  const announced = Number(request.headers.get('content-length'))
  if (announced > bodyLimitBytes) throw new Problem('BODY_TOO_LARGE')
  if (request.body === null) return Buffer.alloc(0)
  const encoding = request.headers.get('content-encoding') ?? 'identity'
  if (encoding.toLowerCase() !== 'identity')
    throw invalidParameter('A compressed body is not read.')

  const chunks: Uint8Array[] = []
  let size = 0
  try {
    for await (const chunk of request.body) {
      size += chunk.byteLength
      chunks.push(chunk)
      if (size > bodyLimitBytes || chunks.length > pieceLimit) break
    }
  } catch (cause) {
    const message = 'The body could not be read.'
    throw new Problem('PARAMETER_INVALID', { message, log: { reason: String(cause) }, cause })
  }
  if (size > bodyLimitBytes) throw new Problem('BODY_TOO_LARGE')
  if (chunks.length > pieceLimit) throw invalidParameter('The body comes in too many pieces.')
  return Buffer.concat(chunks, size)
}

/**
 * Decodes a body. A byte order mark gives the encoding, else the `charset` of the Content-Type, else an
 * XML declaration; the default is UTF-8 (RFC 7303). Labels mean what they mean on the web: "iso-8859-1"
 * is windows-1252, which has the same letters and more.
 *
 * @throws {Problem} PARAMETER_INVALID for an unknown encoding, and for bytes that it does not allow.
 */
export function decodeBody(bytes: Uint8Array, contentType: string): string {
  const encoding = detectedEncoding(bytes) ?? namedEncoding(contentType) ?? declaredEncoding(bytes)
  const decoder = decoderOf(encoding ?? 'utf-8')
  try {
    if (decoder.encoding === 'utf-8') return decoder.decode(bytes)
    // Node.js 20 decodes windows-1252 as ISO-8859-1 unless it streams.
    return decoder.decode(bytes, { stream: true }) + decoder.decode()
  } catch (cause) {
    throw invalidParameter(
      `The body is not the ${decoder.encoding} text that it is said to be.`,
      cause,
    )
  }
}

function decoderOf(encoding: string): TextDecoder {
  try {
    return new TextDecoder(encoding, { fatal: true })
  } catch (cause) {
    throw invalidParameter('The encoding of the body is not known.', cause)
  }
}

/** The encoding that the first bytes show: a byte order mark, or `<` in UTF-16. */
function detectedEncoding([start, next, third]: Uint8Array): string | undefined {
  const lessThan = 0x3c
  if (start === 0xef && next === 0xbb && third === 0xbf) return 'utf-8'
  if ((start === 0xfe && next === 0xff) || (start === 0 && next === lessThan)) return 'utf-16be'
  if ((start === 0xff && next === 0xfe) || (start === lessThan && next === 0)) return 'utf-16le'
  return undefined
}

const namedEncoding = (contentType: string): string | undefined =>
  /;\s*charset\s*=\s*["']?([^\s"';,]+)/i.exec(contentType)?.[1]

/** The encoding of `<?xml … encoding="…"?>`. UTF-16 must be wrong, as the text was read byte by byte. */
function declaredEncoding(bytes: Uint8Array): string | undefined {
  const start = Buffer.from(bytes.subarray(0, declarationBytes)).toString('latin1')
  const declared = /^\s*<\?xml\s[^>]*?encoding\s*=\s*["']([^"'>]*)["']/.exec(start)?.[1]
  return declared !== undefined && /^utf-16/i.test(declared) ? undefined : declared
}

const declarationBytes = 200
