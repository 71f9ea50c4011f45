import { demoApiKey } from '../../dev/klaviyo/stand-in.ts'
import type { DatabaseKind } from '../../test/support/store-config.js'
import { startChild } from './child.js'
import type { Shares } from './cpu-profile.js'
import type { QueueName } from './queues.js'

export interface ShopSetup {
  kind: DatabaseKind
  url: string
  /** Where posts are stored. Default: in the outbox. */
  queue?: QueueName
  /** Where the platform is; without, nothing is delivered. */
  platformUrl?: string
  /** Whether it sends its catalog. */
  sendsCatalog?: boolean
  apiKey: string
}

export const trackPath = '/actions/marketingconnect/api/track'
export const noOpAction = 'bench/no-op'
export const noOpPath = `/actions/${noOpAction}`
/** Answered by node:http itself. */
export const barePath = '/bare'
/** Answered by hand, with the least that a form's post needs. */
export const floorPath = '/floor'

export type ShopQuestion =
  | 'port?'
  | 'cpu seconds?'
  | 'peak memory?'
  | 'watch the thread'
  | 'busy?'
  | 'start a profile'
  | 'end the profile'
export type ShopAnswer = number | Shares

/** A store on node:http in a process of its own. */
export interface Shop {
  port: number
  /** What the process has had of the processor until now. */
  cpuSeconds(): Promise<number>
  peakKib(): Promise<number>
  /** Begins to measure how long its thread answers nobody. */
  watchThread(): Promise<void>
  /** The longest that the thread answered nobody in 99 of 100 looks since then, in milliseconds. */
  busyMs(): Promise<number>
  startProfile(): Promise<void>
  /** Where the processor's time went since then. */
  endProfile(): Promise<Shares>
  stop(): Promise<void>
}

export async function startShop(setup: Omit<ShopSetup, 'apiKey'>): Promise<Shop> {
  const child = startChild<ShopQuestion, ShopAnswer>('shop-child.ts', {
    ...setup,
    apiKey: demoApiKey,
  })
  return {
    port: Number(await child.ask('port?')),
    cpuSeconds: async () => Number(await child.ask('cpu seconds?')),
    peakKib: async () => Number(await child.ask('peak memory?')),
    watchThread: async () => void (await child.ask('watch the thread')),
    busyMs: async () => Number(await child.ask('busy?')),
    startProfile: async () => void (await child.ask('start a profile')),
    endProfile: async () => (await child.ask('end the profile')) as Shares,
    stop: () => child.stop(),
  }
}
