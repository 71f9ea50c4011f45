import { Problem } from '../errors.js'

/** The largest body that any action reads (`decisions.md`, Front door). */
export const bodyLimitBytes = 256 * 1024

/** Reads the body, and stops as soon as it is larger than the limit. */
export async function readBody(request: Request): Promise<Uint8Array<ArrayBuffer>> {
  const announced = Number(request.headers.get('content-length'))
  if (announced > bodyLimitBytes) throw new Problem('BODY_TOO_LARGE')
  if (request.body === null) return new Uint8Array(0)

  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of request.body) {
    size += chunk.byteLength
    if (size > bodyLimitBytes) throw new Problem('BODY_TOO_LARGE')
    chunks.push(chunk)
  }
  return new Uint8Array(Buffer.concat(chunks, size))
}
