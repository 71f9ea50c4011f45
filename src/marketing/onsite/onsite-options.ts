import * as z from 'zod/mini'
import { baseUrl, schemaOf } from '../../core/options-schema.js'

export interface OnsiteOptions {
  /** The URL below which Klaviyo's script for the pages is. Default `https://static.klaviyo.com`. */
  scriptUrl?: string
}

export const onsiteOptions = schemaOf<OnsiteOptions>()(
  z.strictObject({ scriptUrl: z._default(baseUrl, 'https://static.klaviyo.com') }),
)
