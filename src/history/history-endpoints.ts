import type { Endpoint, PayloadHandler, PayloadRequest } from 'payload'
import { partsOf } from '../installation.js'
import type { IsAdmin } from '../store/payload/admin-access.js'
import { readDocumentId } from '../store/payload/document-id.js'
import { label } from '../store/payload/label.js'
import { ownPagesOnly } from '../store/payload/own-pages-only.js'
import { historiesSlug, type HistoryRun } from './history-table.js'
import { readPeriod } from './period.js'

/**
 * What a merchant does with the history, below the collection's own route:
 * `GET count-orders?from=2025-01-01&to=2026-01-01`, `POST start` with the same two in the body,
 * `POST :id/pause`, `:id/resume` and `:id/cancel`, and `GET progress`.
 */
export function historyEndpoints(isAdmin: IsAdmin): Endpoint[] {
  const endpoint = (
    method: Endpoint['method'],
    path: string,
    handler: (req: PayloadRequest) => Promise<Response>,
  ): Endpoint => {
    const checked: PayloadHandler = async (req) =>
      (await isAdmin({ req })) ? handler(req) : refused(403, label('adminsOnly')(req))
    return { method, path, handler: method === 'get' ? checked : ownPagesOnly(checked) }
  }
  const onRun = (act: 'pause' | 'resume' | 'cancel') =>
    endpoint('post', `/:id/${act}`, async (req) => {
      const id = readDocumentId(req.payload, historiesSlug, String(req.routeParams?.id))
      const run = id === undefined ? undefined : await historiesOf(req)[act](id)
      if (run === undefined) return refused(409, label('historyNotPossible')(req))
      partsOf(req.payload).delivery.wake()
      return Response.json({ run })
    })

  return [
    endpoint('get', '/count-orders', async (req) => {
      const period = readPeriod(Object.fromEntries(req.searchParams))
      if (period === undefined) return refused(400, label('historyWrongPeriod')(req))
      return Response.json({ orders: await historiesOf(req).countOrders(period) })
    }),
    endpoint('post', '/start', async (req) => {
      const posted: unknown = await req.json?.().catch(() => undefined)
      const period = readPeriod(posted ?? {})
      if (period === undefined) return refused(400, label('historyWrongPeriod')(req))
      const startedBy = req.user?.email ?? undefined
      const { run, isNew } = await historiesOf(req).start(period, { startedBy })
      if (!isNew) return refused(409, label('historyUnderWay')(req), run)
      partsOf(req.payload).delivery.wake()
      return Response.json({ run }, { status: 201 })
    }),
    endpoint('get', '/progress', async (req) => {
      const run = (await historiesOf(req).latest()) ?? null
      return Response.json({ run }, { headers: { 'cache-control': 'no-store' } })
    }),
    onRun('pause'),
    onRun('resume'),
    onRun('cancel'),
  ]
}

const historiesOf = ({ payload }: PayloadRequest) => partsOf(payload).histories

const refused = (status: number, message: string, run?: HistoryRun): Response =>
  Response.json({ errors: [{ message }], run }, { status })
