import type { BasePayload } from 'payload'

/**
 * The URL of a shop without sites: Payload's `serverURL`, else the variable `NEXT_PUBLIC_SERVER_URL`, which Payload's
 * templates have. Blank when the shop has neither: a mail cannot link to it then.
 */
export const homeUrl = ({ config }: Pick<BasePayload, 'config'>): string =>
  config.serverURL || (process.env.NEXT_PUBLIC_SERVER_URL ?? '').trim()
