import { tell } from '../goals.js'
import type { Shares } from './cpu-profile.js'

/** Smaller shares say nothing. */
const leastShare = 0.01

/**
 * Where the time went, the largest share first.
 *
 * @throws when no share says anything: then nothing was measured.
 */
export function tellShares(what: string, shares: Shares): void {
  const large = Object.entries(shares).filter(([, share]) => share >= leastShare)
  if (large.length === 0) throw new Error(`Nothing was measured: ${what}.`)
  console.log(`\n${what}`)
  for (const [name, share] of large.sort(([, one], [, other]) => other - one)) {
    tell(name, `${(share * 100).toFixed(0)} %`)
  }
}
