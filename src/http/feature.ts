import { createSharedCounts, requestCountCollection } from '../database/shared-counts.js'
import { defineFeature } from '../feature.js'
import type { Shop } from '../shop.js'
import { createCsrfTokens } from './csrf.js'
import type { FormChecks } from './form-action.js'
import { httpOptions } from './http-options.js'
import { createSignedRedirects } from './redirect-target.js'
import { createOwnOrigins } from './same-site.js'
import { createSessions } from './session.js'

export type HttpParts = ReturnType<typeof build>

function build({ payload, database, effects }: Shop) {
  const { secret, serverURL, csrf: origins, routes } = payload.config
  const forms: FormChecks = {
    csrf: createCsrfTokens({ secret, effects }),
    redirects: createSignedRedirects({ secret }),
    isOwnOrigin: createOwnOrigins([serverURL, ...origins]),
    apiRoute: routes.api,
  }
  return {
    forms,
    sessions: createSessions({ secret, effects }),
    /** Requests of all processes, for the throttles. */
    counts: createSharedCounts(database, { secret, now: effects.now }),
  }
}

/** Sessions, form tokens and throttles: what the actions of all features share. */
export const httpFeature = defineFeature({
  options: httpOptions.shape,
  collections: () => [requestCountCollection()],
  build,
})
