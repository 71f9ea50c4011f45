import type { Endpoint, PayloadHandler, PayloadRequest } from 'payload'
import { readPeriod } from './period.js'
import { partsOf } from '../installation.js'
import type { Histories, HistoryPeriod, HistoryRun } from './history-run.js'
import type { IsAdmin } from '../store/payload/admin-access.js'
import { readDocumentId } from '../store/payload/document-id.js'
import { label } from '../store/payload/label.js'
import { ownPagesOnly } from '../store/payload/own-pages-only.js'
import { historiesSlug } from './history-table.js'

/** A run, its moments as texts. */
export type HistoryReport = Omit<HistoryRun, 'startedAt' | 'endedAt'> & {
  startedAt: string
  endedAt?: string
}

/**
 * What a merchant does with the history, below the collection's own route:
 * `GET count-orders?from=2025-01-01&to=2026-01-01`, `POST start` with the same two in the body,
 * `POST :id/pause`, `:id/resume` and `:id/cancel`, and `GET progress`.
 */
export const historyEndpoints = (isAdmin: IsAdmin): Endpoint[] =>
  [
    endpoint('get', '/count-orders', async (req) => {
      const period = readPeriod({
        from: req.searchParams.get('from'),
        to: req.searchParams.get('to'),
      })
      if (period === undefined) return refused(400, label('historyWrongPeriod')(req))
      return Response.json({ orders: await historiesOf(req).countOrders(period) })
    }),
    endpoint('post', '/start', async (req) => {
      const period = await postedPeriod(req)
      if (period === undefined) return refused(400, label('historyWrongPeriod')(req))
      const { run, isNew } = await historiesOf(req).start(period, { startedBy: nameOf(req) })
      if (!isNew) return refused(409, label('historyUnderWay')(req), run)
      partsOf(req.payload).delivery.wake()
      return Response.json({ run: reportOf(run) }, { status: 201 })
    }),
    endpoint('get', '/progress', async (req) => {
      const run = await historiesOf(req).latest()
      const headers = { 'cache-control': 'no-store' }
      return Response.json({ run: run === undefined ? null : reportOf(run) }, { headers })
    }),
    onRun('pause', (histories, id) => histories.pause(id)),
    onRun('resume', (histories, id) => histories.resume(id)),
    onRun('cancel', (histories, id) => histories.cancel(id)),
  ].map((open) => forAdmins(open, isAdmin))

const endpoint = (
  method: Endpoint['method'],
  path: string,
  handler: (req: PayloadRequest) => Promise<Response>,
) => ({ method, path, handler })

type Open = ReturnType<typeof endpoint>

const onRun = (
  name: string,
  act: (histories: Histories, id: number | string) => Promise<HistoryRun | undefined>,
): Open =>
  endpoint('post', `/:id/${name}`, async (req) => {
    const id = readDocumentId(req.payload, historiesSlug, String(req.routeParams?.id))
    const run = id === undefined ? undefined : await act(historiesOf(req), id)
    if (run === undefined) return refused(409, label('historyNotPossible')(req))
    partsOf(req.payload).delivery.wake()
    return Response.json({ run: reportOf(run) })
  })

function forAdmins({ handler, ...open }: Open, isAdmin: IsAdmin): Endpoint {
  const checked: PayloadHandler = async (req) =>
    (await isAdmin({ req })) ? handler(req) : refused(403, label('adminsOnly')(req))
  return { ...open, handler: open.method === 'get' ? checked : ownPagesOnly(checked) }
}

const historiesOf = ({ payload }: PayloadRequest): Histories => partsOf(payload).histories

const refused = (status: number, message: string, run?: HistoryRun): Response =>
  Response.json({ errors: [{ message }], ...(run && { run: reportOf(run) }) }, { status })

async function postedPeriod(req: PayloadRequest): Promise<HistoryPeriod | undefined> {
  const posted: unknown = await req.json?.().catch(() => undefined)
  const { from, to } = (posted ?? {}) as { from?: unknown; to?: unknown }
  return readPeriod({ from, to })
}

const nameOf = ({ user }: PayloadRequest): string | undefined => user?.email ?? undefined

/** Without what only the shop itself needs, such as the worker's token. */
export const reportOf = (run: HistoryRun): HistoryReport => ({
  id: run.id,
  from: run.from,
  to: run.to,
  state: run.state,
  total: run.total,
  done: run.done,
  events: run.events,
  passedOver: run.passedOver,
  ...(run.passedOverFor && { passedOverFor: run.passedOverFor }),
  lastError: run.lastError,
  startedBy: run.startedBy,
  startedAt: run.startedAt.toISOString(),
  ...(run.endedAt && { endedAt: run.endedAt.toISOString() }),
})
