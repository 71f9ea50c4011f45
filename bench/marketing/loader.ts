import { startChild } from './child.js'
import type { Load, LoadResult } from './load.js'

/** The process that posts. */
export interface Loader {
  post(load: Omit<Load, 'prefix'>): Promise<LoadResult & { prefix: string }>
  stop(): Promise<void>
}

export function startLoader(): Loader {
  const child = startChild<Load, LoadResult>('load-child.ts')
  let loads = 0
  return {
    async post(load) {
      loads += 1
      const prefix = `load${loads}`
      return { ...(await child.ask({ ...load, prefix })), prefix }
    },
    stop: () => child.stop(),
  }
}
