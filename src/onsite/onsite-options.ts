import * as z from 'zod'
import { baseUrl, schemaOf } from '../options-schema.js'

export interface OnsiteOptions {
  /** The URL below which Klaviyo's script for the pages is. Default `https://static.klaviyo.com`. */
  scriptUrl?: string
}

export const onsiteOptions = schemaOf<OnsiteOptions>()(
  z.strictObject({ scriptUrl: baseUrl.default('https://static.klaviyo.com') }),
)
