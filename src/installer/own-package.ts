import { readFileSync } from 'node:fs'

/** What this package says of itself: its version, and with which versions of others it works. */
export function ownPackage(): {
  version: string
  peerDependencies: Record<'next' | 'payload', string>
} {
  const manifest = readFileSync(new URL('../../package.json', import.meta.url), 'utf8')
  return JSON.parse(manifest) as ReturnType<typeof ownPackage>
}
