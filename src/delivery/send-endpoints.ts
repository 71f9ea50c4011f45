import type { BasePayload, Endpoint, PayloadRequest } from 'payload'
import type { Outbox } from './outbox.js'
import type { IsAdmin } from '../store/payload/admin-access.js'
import { ownPagesOnly } from '../store/payload/own-pages-only.js'

export interface SendAccess {
  isAdmin: IsAdmin
  outboxOf: (payload: BasePayload) => Pick<Outbox, 'resend' | 'dismiss'>
}

/** What a merchant may do with a send that failed, below the collection's own route. */
export const sendEndpoints = (access: SendAccess): Endpoint[] => [
  onFailedSend('resend', access, (outbox, id) => outbox.resend(id, new Date())),
  onFailedSend('dismiss', access, (outbox, id) => outbox.dismiss(id)),
]

const onFailedSend = (
  name: string,
  { isAdmin, outboxOf }: SendAccess,
  act: (outbox: ReturnType<SendAccess['outboxOf']>, id: number) => Promise<boolean>,
): Endpoint => ({
  path: `/:id/${name}`,
  method: 'post',
  handler: ownPagesOnly(async (req) => {
    if (!(await isAdmin({ req }))) return Response.json({ done: false }, { status: 403 })
    const id = idOf(req)
    if (id === undefined) return Response.json({ done: false }, { status: 404 })
    const isDone = await act(outboxOf(req.payload), id)
    // Somebody else was faster, or it was never failed.
    return Response.json({ done: isDone }, { status: isDone ? 200 : 409 })
  }),
})

function idOf({ routeParams }: PayloadRequest): number | undefined {
  const text = String(routeParams?.id)
  return /^\d{1,10}$/.test(text) ? Number(text) : undefined
}
