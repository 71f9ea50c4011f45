import { z } from 'zod'
import type { WalkEnd } from '../../past-changes.js'
import { keptMoment, readKept, type KeyValueStore } from '../kept-value.js'

const keptSchema = z.object({ end: keptMoment })

/** Kept for all processes of the installation. */
export const createWalkEnd = (
  store: KeyValueStore,
  walk: 'event-sweep' | 'cart-watch',
): WalkEnd => {
  const place = `storeconnect:${walk}`
  return {
    lastEnd: async () => (await readKept(store, place, keptSchema))?.end,
    keepEnd: (end) => store.kv.set(place, { end: end.toISOString() }),
  }
}
