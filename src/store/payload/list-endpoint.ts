import type { Endpoint } from 'payload'
import { partsOf } from '../../installation.js'
import type { ListKnowledge } from '../../marketing/known-lists.js'
import type { IsAdmin } from './admin-access.js'
import { listEndpointPath } from './list-endpoint-path.js'

/** What is known of the lists, as JSON has it. */
export type ListReport = ListKnowledge extends infer Known
  ? Known extends { readAt: Date }
    ? Omit<Known, 'readAt'> & { readAt: string }
    : Known
  : never

/** `GET …/storeconnect/lists`, for the fields in which a list is picked. */
export const listEndpoint = (isAdmin: IsAdmin): Endpoint => ({
  path: listEndpointPath,
  method: 'get',
  async handler(req) {
    const isAllowed = await isAdmin({ req })
    if (!isAllowed) return Response.json({ errors: [{ message: 'Admins only.' }] }, { status: 403 })
    const known = await partsOf(req.payload).knownLists.read()
    return Response.json(known, { headers: { 'cache-control': 'no-store' } })
  },
})
