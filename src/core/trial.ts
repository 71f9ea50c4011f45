import * as z from 'zod/mini'
import { createCachedValue, type CachedValue } from './database/cached-value.js'
import { readStored, storedMoment } from './database/stored-value.js'
import type { Shop } from './shop.js'

/** Where the trial of `storeconnect try` is stored. It never changes a setting. */
export const trialPlace = 'storeconnect:trial'

/** A trial ends by itself when the command has not renewed it for so long, in milliseconds. */
export const trialMs = 15_000

const trialSchema = z.object({
  until: storedMoment,
  /** Whether a shop in production takes part. */
  isForProduction: z.boolean(),
  /** What ShipStation logs in with, where the settings have nothing. */
  shipping: z.exactOptional(z.object({ username: z.string(), password: z.string() })),
  /** What stands for Klaviyo's key, where the settings have none, and its port on 127.0.0.1. */
  klaviyo: z.exactOptional(
    z.object({ apiKey: z.string(), port: z.int().check(z.minimum(1), z.maximum(65_535)) }),
  ),
})

/** What `storeconnect try` lends to a shop that has no ShipStation or no Klaviyo yet. */
export type Trial = z.infer<typeof trialSchema>

type TrialShop = Pick<Shop, 'payload' | 'effects'>

/** The trial that goes on now; undefined when there is none. */
export async function readTrial({ payload, effects }: TrialShop): Promise<Trial | undefined> {
  const trial = await readStored(payload, trialPlace, trialSchema)
  if (trial === undefined) return undefined
  const restMs = trial.until.getTime() - effects.now().getTime()
  return restMs > 0 && restMs <= trialMs ? trial : undefined
}

interface Lending<Settings> {
  isMissing: (settings: Settings) => boolean
  lend: (settings: Settings, trial: Trial) => Settings
}

/** Settings with what a trial lends, only where they lack it: a shop that has its own never looks for a trial. */
export function withTrial<Settings>(
  settings: CachedValue<Settings>,
  shop: TrialShop,
  { isMissing, lend }: Lending<Settings>,
): CachedValue<Settings> {
  const trials = createCachedValue(() => readTrial(shop), shop.effects.now)
  return {
    async get(req) {
      const own = await settings.get(req)
      // A write neither logs anybody in nor sends anything.
      if (req !== undefined || !isMissing(own)) return own
      const trial = await trials.get()
      const isMeant = process.env.NODE_ENV !== 'production' || trial?.isForProduction === true
      return trial !== undefined && isMeant ? lend(own, trial) : own
    },
    forget() {
      settings.forget()
      trials.forget()
    },
  }
}
