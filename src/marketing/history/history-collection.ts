import type { BasePayload, CollectionConfig, Endpoint, PayloadRequest, TextField } from 'payload'
import { reasonsThatApply, stateNames, type PassedOverCounts } from './run-progress.js'
import { stateCell } from '../../core/payload/state-cell.js'
import { recordCollection } from '../../core/payload/admin-access.js'
import { label, labels } from '../../core/payload/label.js'
import { historiesSlug, type HistoryRun } from './history-table.js'
import { readDocumentId } from '../../core/database/document-id.js'
import { adminEndpoint, type EndpointAccess } from '../../core/payload/admin-endpoint.js'
import type { Histories } from './histories.js'

interface HistoryAccess extends EndpointAccess {
  partsOf: (payload: BasePayload) => Promise<{
    histories: Histories
    /** Makes the worker go on at once. */
    delivery: { wake: () => void }
  }>
}

/**
 * The endpoints by which a merchant controls the history, below the collection's own route:
 * `GET count-orders?from=2025-01-01&to=2026-01-01`, `POST start` with `from` and `to` in the body,
 * `POST :id/pause`, `:id/resume` and `:id/cancel`, and `GET progress`.
 */
function historyEndpoints(access: HistoryAccess): Endpoint[] {
  const endpoint = (
    method: 'get' | 'post',
    path: string,
    answer: (req: PayloadRequest) => Promise<Response>,
  ): Endpoint => adminEndpoint(access, { method, path, answer })
  const historiesOf = async ({ payload }: PayloadRequest) =>
    (await access.partsOf(payload)).histories
  const wake = async ({ payload }: PayloadRequest) =>
    (await access.partsOf(payload)).delivery.wake()
  const onRun = (act: 'pause' | 'resume' | 'cancel') =>
    endpoint('post', `/:id/${act}`, async (req) => {
      const id = readDocumentId(req.payload, historiesSlug, String(req.routeParams?.id))
      const run = id === undefined ? undefined : await (await historiesOf(req))[act](id)
      if (run === undefined) return refused(409, label('historyNotPossible')(req))
      await wake(req)
      return Response.json({ run })
    })

  return [
    endpoint('get', '/count-orders', async (req) => {
      const { readPeriod } = await import('./period.js')
      const period = readPeriod(Object.fromEntries(req.searchParams))
      if (period === undefined) return refused(400, label('historyWrongPeriod')(req))
      return Response.json({ orders: await (await historiesOf(req)).countOrders(period) })
    }),
    endpoint('post', '/start', async (req) => {
      const posted: unknown = await req.json?.().catch(() => undefined)
      const { readPeriod } = await import('./period.js')
      const period = readPeriod(posted ?? {})
      if (period === undefined) return refused(400, label('historyWrongPeriod')(req))
      const startedBy = req.user?.email ?? undefined
      const { run, isNew } = await (await historiesOf(req)).start(period, { startedBy })
      if (!isNew) return refused(409, label('historyUnderWay')(req), run)
      await wake(req)
      return Response.json({ run }, { status: 201 })
    }),
    endpoint('get', '/progress', async (req) => {
      const run = (await (await historiesOf(req)).latest()) ?? null
      return Response.json({ run })
    }),
    onRun('pause'),
    onRun('resume'),
    onRun('cancel'),
  ]
}

const refused = (status: number, message: string, run?: HistoryRun): Response =>
  Response.json({ errors: [{ message }], run }, { status })

export const historyCollection = (access: HistoryAccess): CollectionConfig => ({
  slug: historiesSlug,
  labels: labels('history', 'histories'),
  admin: {
    group: false,
    description: label('historiesDescription'),
    useAsTitle: 'from',
    listSearchableFields: ['startedBy'],
    defaultColumns: ['from', 'to', 'state', 'done', 'total', 'events', 'createdAt'],
  },
  ...recordCollection(access.isAdmin),
  defaultSort: '-createdAt',
  endpoints: historyEndpoints(access),
  fields: [
    {
      type: 'row',
      fields: [
        { name: 'from', type: 'text', label: label('historyFrom') },
        { name: 'to', type: 'text', label: label('historyTo') },
      ],
    },
    {
      name: 'state',
      type: 'select',
      label: label('historyState'),
      admin: stateCell,
      options: Object.entries(stateNames).map(([value, name]) => ({ value, label: label(name) })),
    },
    { name: 'total', type: 'number', label: label('historyTotal') },
    { name: 'done', type: 'number', label: label('historyOrdersDone') },
    { name: 'events', type: 'number', label: label('historyEvents') },
    {
      name: 'passedOver',
      type: 'number',
      label: label('historyPassedOver'),
      admin: { description: label('historyPassedOverDescription') },
    },
    {
      name: 'passedOverFor',
      type: 'textarea',
      label: label('historyPassedOverFor'),
      admin: { condition: ({ passedOver }: { passedOver?: number }) => Number(passedOver) > 0 },
      // Stored as JSON, so that each user reads the reasons in their own language.
      hooks: { afterRead: [({ value, req }): unknown => sentencesOf(value, req)] },
    },
    {
      name: 'lastError',
      type: 'text',
      label: label('historyLastError'),
      // Stored as a key, so that each user reads the error in their own language.
      hooks: {
        afterRead: [
          ({ value, req }): unknown =>
            value === 'historyGivenUp' ? label('historyGivenUp')(req) : value,
        ],
      },
    },
    { name: 'startedBy', type: 'text', label: label('historyStartedBy') },
    { name: 'endedAt', type: 'date', label: label('historyEndedAt') },
    // Blank when the run is over. The column is unique, so that two runs cannot be under way.
    { ...hidden('underWay'), unique: true },
    // Tells which call of `start` began the run.
    { ...hidden('key'), unique: true },
    // As JSON: the last order whose events were stored, and how often the next page has failed.
    hidden('cursor'),
  ],
})

const sentencesOf = (value: unknown, req: PayloadRequest): unknown =>
  typeof value === 'string'
    ? reasonsThatApply(JSON.parse(value) as PassedOverCounts)
        .map(({ reason, count }) => label(reason, { count: String(count) })(req))
        .join('\n')
    : value

const hidden = (name: string): TextField => ({ name, type: 'text', admin: { hidden: true } })
