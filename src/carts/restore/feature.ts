import { defineFeature } from '../../feature.js'
import type { HttpParts } from '../../http/feature.js'
import type { OptionsOf } from '../../options-schema.js'
import type { Shop } from '../../shop.js'
import type { SiteParts } from '../../sites/feature.js'
import type { CartParts } from '../feature.js'
import { restorePath } from '../restore-link.js'
import type { restoreOptions } from '../restore-options.js'
import { createAbandonedCarts } from './abandoned-carts.js'
import { createRestore } from './restore-action.js'

/** The link that restores an abandoned cart. */
export const restoreFeature = defineFeature({
  actions(
    { payload, options, database, log, customersSlug }: Shop<OptionsOf<typeof restoreOptions>>,
    {
      forms,
      sites,
      texts,
      carts,
      cartSchema: schema,
      restoreLinks,
    }: HttpParts & SiteParts & CartParts,
  ) {
    if (carts === undefined || schema === undefined) return {}
    const { csrf, redirects } = forms
    return {
      [restorePath]: createRestore({
        abandonedCarts: createAbandonedCarts({
          payload,
          database,
          names: options,
          carts,
          schema,
          sites,
          customersSlug,
        }),
        carts,
        sites,
        links: restoreLinks,
        texts,
        csrf,
        redirects,
        options: options.restore,
        loginPath: options.loginPath,
        log,
      }),
    }
  },
})
