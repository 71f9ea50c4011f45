import { demoApiKey } from '../../dev/klaviyo/stand-in.ts'
import type { DatabaseKind } from '../../test/support/store-config.js'
import { startChild } from './child.js'

export interface ShopSetup {
  kind: DatabaseKind
  url: string
  /** Default: as they are, grouped. */
  writes?: 'one a post'
  /** Where the platform is; without, nothing is delivered. */
  platformUrl?: string
  apiKey: string
}

export const trackPath = '/actions/marketingconnect/api/track'
export const noOpAction = 'bench/no-op'
export const noOpPath = `/actions/${noOpAction}`
/** Answered by node:http itself. */
export const barePath = '/bare'

/** A store on node:http in a process of its own. */
export interface Shop {
  port: number
  stop(): Promise<void>
}

export async function startShop(setup: Omit<ShopSetup, 'apiKey'>): Promise<Shop> {
  const child = startChild<'port?', number>('shop-child.ts', { ...setup, apiKey: demoApiKey })
  return { port: await child.ask('port?'), stop: () => child.stop() }
}
