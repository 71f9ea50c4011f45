import type { Endpoint, PayloadRequest } from 'payload'
import { partsOf } from '../../installation.js'
import type { ListKnowledge } from '../../marketing/known-lists.js'
import type { IsAdmin } from './admin-access.js'
import { label } from './label.js'
import { listEndpointPath } from './list-endpoint-path.js'

/** What is known of the lists, as JSON has it. */
export type ListReport = ListKnowledge extends infer Known
  ? Known extends { readAt: Date }
    ? Omit<Known, 'readAt'> & { readAt: string }
    : Known
  : never

interface ListReaders {
  isAdmin: IsAdmin
  /** Slug of the customers' collection; undefined in a store without accounts. */
  customersSlug: string | undefined
}

/** `GET …/storeconnect/lists`, for the fields in which a list is picked. */
export const listEndpoint = (readers: ListReaders): Endpoint => ({
  path: listEndpointPath,
  method: 'get',
  async handler(req) {
    const isAllowed = (await readers.isAdmin({ req })) || (await entersAdmin(req, readers))
    if (!isAllowed) {
      return Response.json({ errors: [{ message: label('listsForbidden')(req) }] }, { status: 403 })
    }
    const known = await partsOf(req.payload).knownLists.read()
    return Response.json(known, { headers: { 'cache-control': 'no-store' } })
  },
})

/**
 * Editors, by the rule that lets them into Payload's admin. Where customers are in the same collection
 * and it has no such rule, nothing tells them apart.
 */
async function entersAdmin(req: PayloadRequest, { customersSlug }: ListReaders): Promise<boolean> {
  const { user, payload } = req
  if (user?.collection !== payload.config.admin.user) return false
  const mayEnter = payload.collections[user.collection]?.config.access.admin
  return mayEnter === undefined ? user.collection !== customersSlug : mayEnter({ req })
}
