import { Problem } from '../errors.js'

/**
 * The text of a body. Its encoding is told by a byte order mark, else by the `charset` of the
 * Content-Type, else by an XML declaration, else it is UTF-8 (RFC 7303). Labels mean what they mean
 * on the web: "iso-8859-1" is windows-1252, which has the same letters and more.
 *
 * @throws {Problem} PARAMETER_INVALID for an encoding that is not known, and for bytes that are not in it.
 */
export function decodeBody(bytes: Uint8Array, contentType: string): string {
  const encoding = signedEncoding(bytes) ?? namedEncoding(contentType) ?? declaredEncoding(bytes)
  const decoder = decoderOf(encoding ?? 'utf-8')
  try {
    if (decoder.encoding === 'utf-8') return decoder.decode(bytes)
    // In one go, Node.js 20 takes windows-1252 for ISO-8859-1.
    return decoder.decode(bytes, { stream: true }) + decoder.decode()
  } catch (cause) {
    throw invalid(`The body is not the ${decoder.encoding} text that it is said to be.`, cause)
  }
}

function decoderOf(encoding: string): TextDecoder {
  try {
    return new TextDecoder(encoding, { fatal: true })
  } catch (cause) {
    throw invalid('The encoding of the body is not known.', cause)
  }
}

/** The encoding that the first bytes give away: a byte order mark, or `<` as UTF-16 has it. */
function signedEncoding([first, second, third]: Uint8Array): string | undefined {
  const [start = -1, next = -1] = [first, second]
  if (start === 0xef && next === 0xbb && third === 0xbf) return 'utf-8'
  if ((start === 0xfe && next === 0xff) || (start === 0 && next === lessThan)) return 'utf-16be'
  if ((start === 0xff && next === 0xfe) || (start === lessThan && next === 0)) return 'utf-16le'
  return undefined
}

const lessThan = 0x3c

const namedEncoding = (contentType: string): string | undefined =>
  /;\s*charset\s*=\s*["']?([^\s"';,]+)/i.exec(contentType)?.[1]

/** What `<?xml … encoding="…"?>` says. It can be read byte by byte, so UTF-16 is not what it is. */
function declaredEncoding(bytes: Uint8Array): string | undefined {
  const start = Buffer.from(bytes.subarray(0, declarationBytes)).toString('latin1')
  const declared = /^\s*<\?xml\s[^>]*?encoding\s*=\s*["']([^"'>]*)["']/.exec(start)?.[1]
  return declared !== undefined && /^utf-16/i.test(declared) ? undefined : declared
}

const declarationBytes = 200

const invalid = (message: string, cause: unknown) =>
  new Problem('PARAMETER_INVALID', { message, cause })
