import { join } from 'node:path'
import { restorePath } from '../../src/carts/restore-link.js'
import type { DatabaseKind } from '../../test/support/store-config.js'
import { startChild } from '../marketing/child.js'

export interface ShopSetup {
  kind: DatabaseKind
  url: string
  /** Of guests' carts, each at home on the site that the bench asks. */
  carts: number
}

export const restoreUrl = `/actions/${restorePath}?number=`
export const noOpAction = 'bench/no-op'
export const oneSelectAction = 'bench/one-select'
/** Somebody else's page, behind `actionsListener` or on a server without it. */
export const otherPath = '/products/green-tea'

/** A store on node:http in a process of its own. */
export interface Shop {
  /** With the actions in front of the shop's own pages. */
  port: number
  /** The same pages, and nothing of ours in front. */
  plainPort: number
  numbers: string[]
  /** Statements that one restored cart costs: by a process that has read the sites, and one that has not. */
  queries: { usual: number; first: number }
  stop(): Promise<void>
}

export async function startShop(setup: ShopSetup): Promise<Shop> {
  const script = join('..', 'restore', 'shop-child.ts')
  const child = startChild<'shop?', Omit<Shop, 'stop'>>(script, setup)
  return { ...(await child.ask('shop?')), stop: () => child.stop() }
}
