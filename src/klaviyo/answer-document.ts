/**
 * The JSON document in an answer's body. Undefined when there is none: nothing in it, something else,
 * more than `limit` bytes, or broken off by the network or the signal.
 */
export async function readAnswerDocument(response: Response, limit: number): Promise<unknown> {
  const text = await readText(response, limit)
  try {
    return text === undefined ? undefined : JSON.parse(text)
  } catch {
    return undefined
  }
}

async function readText({ body }: Response, limit: number): Promise<string | undefined> {
  if (body === null) return undefined
  const reader = body.getReader()
  const chunks: Uint8Array[] = []
  let bytes = 0
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return Buffer.concat(chunks).toString('utf8')
      bytes += value.byteLength
      if (bytes > limit) break
      chunks.push(value)
    }
  } catch {
    return undefined
  }
  // Nobody waits for the rest of it, nor for how its end goes.
  reader.cancel().catch(() => undefined)
  return undefined
}
