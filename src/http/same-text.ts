import { timingSafeEqual } from 'node:crypto'

/** Whether two texts are the same. How long it takes tells nothing of where they differ. */
export function sameText(one: string, other: string): boolean {
  const [left, right] = [Buffer.from(one), Buffer.from(other)]
  return left.byteLength === right.byteLength && timingSafeEqual(left, right)
}
