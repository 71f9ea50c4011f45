import type { BasePayload, Config, Endpoint, PayloadRequest } from 'payload'
import { jsonEndpoints, type EndpointAccess } from '../../core/payload/admin-endpoint.js'
import { translatorOf } from '../../core/payload/label.js'
import { klaviyoErrorText } from '../klaviyo/klaviyo-error-text.js'
import type { KlaviyoLists, ListsAnswer } from '../klaviyo/klaviyo-lists.js'
import type { IsAdmin } from '../../core/payload/admin-access.js'
import { listEndpointPath } from './list-field.js'

/** A problem is a sentence in the language of the request. */
export type ListReport = ListsAnswer<string, string>

interface ListReaders extends EndpointAccess {
  config: Config
  /** Slug of the customers' collection; undefined in a store without accounts. */
  customersSlug: string | undefined
  partsOf: (payload: BasePayload) => Promise<{ klaviyoLists: KlaviyoLists }>
}

/** `GET …/storeconnect/lists`, for fields in which an admin picks a list. */
export const listEndpoint = (readers: ListReaders): Endpoint => {
  const isAdmin: IsAdmin = async ({ req }) =>
    (await readers.isAdmin({ req })) || entersAdmin(req, readers)
  const endpoint = jsonEndpoints({ ...readers, isAdmin })
  return endpoint('get', listEndpointPath, async ({ klaviyoLists: knownLists }, req) => {
    const known = await knownLists.read()
    const error = 'problem' in known ? known.problem : undefined
    return {
      ...known,
      ...(error && { problem: `${klaviyoErrorText(error, translatorOf(req))} (${error.code})` }),
    }
  })
}

/**
 * When customers share the admin's collection and it has no access rule for the admin, nothing distinguishes editors
 * from customers, so neither may.
 */
async function entersAdmin(
  req: PayloadRequest,
  { config, customersSlug }: ListReaders,
): Promise<boolean> {
  const { user, payload } = req
  if (user?.collection !== payload.config.admin.user) return false
  // The store's config, because Payload 4 fills in a rule where the store has none.
  const collection = config.collections?.find(({ slug }) => slug === user.collection)
  const mayEnter = collection?.access?.admin
  const asked = { req, slug: user.collection }
  return mayEnter === undefined ? user.collection !== customersSlug : mayEnter(asked)
}
