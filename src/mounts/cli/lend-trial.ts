import { every } from '../../core/effects.js'
import type { Shop } from '../../core/shop.js'
import { trialMs, trialPlace, type Trial } from '../../core/trial.js'

const renewEveryMs = 4_000

/**
 * Begins a trial and renews it, so that it ends by itself soon after this process is gone. Resolves to what ends it.
 *
 * @param onProblem Told when it could not be renewed. The next renewal may succeed.
 */
export async function lendTrial(
  { payload, effects }: Pick<Shop, 'payload' | 'effects'>,
  lent: Omit<Trial, 'until'>,
  onProblem: (error: unknown) => void,
): Promise<() => Promise<void>> {
  const save = (): Promise<void> => {
    const until = new Date(effects.now().getTime() + trialMs).toISOString()
    return payload.kv.set(trialPlace, { ...lent, until })
  }
  await save()
  let renewal = Promise.resolve()
  const endRenewing = every(effects, renewEveryMs, () => {
    renewal = save().catch(onProblem)
  })
  return async () => {
    endRenewing()
    await renewal
    await payload.kv.delete(trialPlace)
  }
}
