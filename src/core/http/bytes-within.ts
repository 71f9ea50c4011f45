/** Reads a body, and stops as soon as it is larger than the limit: then it is undefined. */
export async function bytesWithin(
  body: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  limit: number,
): Promise<Buffer<ArrayBuffer> | undefined> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of body) {
    bytes += chunk.byteLength
    if (bytes > limit) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
