import * as z from 'zod/mini'
import type { StoreAction } from '../../core/http/define-action.js'
import { schemaOf } from '../../core/options-schema.js'

export interface GivenFormsOptions {
  /** The store's own actions, made with `defineAction`. Forms may name them in `forward`. */
  actions?: readonly StoreAction[]
}

export const formsOptions = schemaOf<GivenFormsOptions>()(
  z.strictObject({
    // Each action was checked when it was defined.
    actions: z._default(
      z.readonly(z.array(z.custom<StoreAction>((value) => typeof value === 'object'))),
      [],
    ),
  }),
)
