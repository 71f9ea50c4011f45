import { readKlaviyoOnsite } from '../../../storeconnect.ts'

/** For pages that were built before the store had its settings. */
export const GET = async (): Promise<Response> => Response.json((await readKlaviyoOnsite()) ?? null)
