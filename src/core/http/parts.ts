import { createSharedCounts } from '../database/shared-counts.js'
import type { OptionsOf } from '../options-schema.js'
import type { Shop } from '../shop.js'
import { createCsrfTokens } from './csrf.js'
import type { FormChecks } from './form-action.js'
import { createSignedRedirects } from './redirect-target.js'
import { createOwnOrigins } from './public-origin.js'
import type { httpOptions } from './http-options.js'
import { createSessions } from './sessions.js'
import { createStoreActions } from './store-actions.js'
import { defineParts } from '../feature.js'

type HttpShop = Shop<OptionsOf<typeof httpOptions>>

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

export const httpParts = defineParts({
  build,
  forwardable: ({ options: { actions } }: HttpShop, { forms }: HttpParts) =>
    createStoreActions({ actions, forms }),
})
