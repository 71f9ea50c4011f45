import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import type { DatabaseKind } from '../support/store-config.js'
import type { Mail } from './shop/shop-config.js'

/** Everything that a shop with an old edition had stored and said when its last process ended. */
export interface FrozenShop {
  edition: string
  /** What the edition was built from. */
  commit: string
  /** When it was frozen. Links and sessions are valid then. */
  at: string
  migration: { name: string; code: string; snapshot: string }
  /** By table. */
  rows: Record<string, Record<string, unknown>[]>
  /** What Klaviyo had been called with. */
  calls: FrozenCall[]
  mails: Mail[]
  facts: ShopFacts
}

export interface FrozenCall {
  method: string
  path: string
  headers: Record<string, string>
  body: string
}

/** What the old edition showed, through its own doors. */
export interface ShopFacts {
  exported: { window: Record<string, string>; pages: { page: string; xml: string }[] }
  links: { id: number; isGuest: boolean; link: string }[]
  session: { cookies: [string, string][]; token: string }
  /** By global. */
  settings: Record<string, Record<string, unknown>>
  /** By collection. */
  documents: Record<string, Record<string, unknown>[]>
}

const pathOf = (edition: string, kind: DatabaseKind) =>
  join(import.meta.dirname, 'frozen', `${edition}-${kind}.json.gz`)

export function readFrozenShop(edition: string, kind: DatabaseKind): FrozenShop {
  const path = pathOf(edition, kind)
  if (!existsSync(path)) {
    throw new Error(
      `Nothing is kept of ${edition}. In a clone, run \`npm run freeze -- ${edition}\`.`,
    )
  }
  return JSON.parse(gunzipSync(readFileSync(path)).toString()) as FrozenShop
}

export function writeFrozenShop(shop: FrozenShop, kind: DatabaseKind): void {
  const path = pathOf(shop.edition, kind)
  writeFileSync(path, gzipSync(JSON.stringify(shop), { level: 9 }))
  console.log(`${path} is written.`)
}

/** The last two that a merchant can upgrade from, newest first, by the headings of the changelog. */
export function editionsToUpgradeFrom(changelog: string): string[] {
  const [, ...earlier] = [...changelog.matchAll(/^## (\S+)/gm)].map(([, name = '']) => name)
  return earlier.slice(0, 2)
}
