import type { Endpoint, PayloadRequest } from 'payload'
import type { Outbox } from '../../../delivery/outbox.js'
import type { IsAdmin } from '../admin-access.js'
import { sqlDatabase } from '../database.js'
import { createOutbox } from './outbox.js'

/** What a merchant may do with a send that failed, below the collection's own route. */
export const sendEndpoints = (isAdmin: IsAdmin): Endpoint[] => [
  onFailedSend('resend', isAdmin, (outbox, id) => outbox.resend(id, new Date())),
  onFailedSend('dismiss', isAdmin, (outbox, id) => outbox.dismiss(id)),
]

const onFailedSend = (
  name: string,
  isAdmin: IsAdmin,
  act: (outbox: Outbox, id: number) => Promise<boolean>,
): Endpoint => ({
  path: `/:id/${name}`,
  method: 'post',
  async handler(req) {
    if (!(await isAdmin({ req }))) return Response.json({ done: false }, { status: 403 })
    const id = idOf(req)
    if (id === undefined) return Response.json({ done: false }, { status: 404 })
    const isDone = await act(createOutbox(sqlDatabase(req.payload)), id)
    // Somebody else was faster, or it was never failed.
    return Response.json({ done: isDone }, { status: isDone ? 200 : 409 })
  },
})

function idOf({ routeParams }: PayloadRequest): number | undefined {
  const text = String(routeParams?.id)
  return /^\d{1,10}$/.test(text) ? Number(text) : undefined
}
