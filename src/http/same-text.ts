import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

const comparisonKey = randomBytes(32)

// timingSafeEqual wants equal lengths, and a length is a secret too: so digests are compared.
const digest = (text: string) => createHmac('sha256', comparisonKey).update(text).digest()

/** Whether two texts are the same. How long it takes tells nothing of where they differ. */
export const sameText = (one: string, other: string): boolean =>
  timingSafeEqual(digest(one), digest(other))

/** The same for two MACs, whose length is no secret. */
export function sameMac(one: string, other: string): boolean {
  const [bytes, others] = [Buffer.from(one), Buffer.from(other)]
  return bytes.length === others.length && timingSafeEqual(bytes, others)
}
