import { Problem } from '../errors.js'
import type { HttpParts } from '../http/parts.js'
import { jsonReply } from '../http/reply.js'
import { requireMethod } from '../http/request-body.js'
import { createTokenCheck } from '../http/login-throttle.js'
import type { Action } from '../http/visit.js'
import type { Shop } from '../shop.js'

export const runPath = 'storeconnect/run'

/**
 * `GET storeconnect/run`, for a cron service (`docs/interface.md` (Run)). Without `CRON_SECRET` there is no such
 * action.
 */
export function createRunAction(
  { effects, log }: Shop,
  { run, counts }: Pick<HttpParts, 'counts'> & { run: () => Promise<boolean> },
): Action {
  const requireToken = createTokenCheck('run', { counts, log, now: effects.now })
  return async (visit) => {
    const secret = cronSecret()
    if (secret === '') throw new Problem('ACTION_NOT_FOUND')
    requireMethod(visit.request, ['GET'])
    await requireToken(visit, { expected: secret })
    return jsonReply({ status: (await run()) ? 'done' : 'another process delivers' })
  }
}

/** What a cron service sends to prove who it is; blank when the environment has none. */
export const cronSecret = (): string => process.env.CRON_SECRET ?? ''
