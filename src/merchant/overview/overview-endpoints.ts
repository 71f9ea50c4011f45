import type { BasePayload, Endpoint, PayloadRequest } from 'payload'
import * as z from 'zod/mini'
import { Problem } from '../../core/errors.js'
import type { Failures } from '../../marketing/delivery/failures.js'
import { publicOrigin } from '../../core/http/public-origin.js'
import { jsonEndpoints, type EndpointAccess } from '../../core/payload/admin-endpoint.js'
import { translatorOf } from '../../core/payload/label.js'
import type { ShopOptions } from '../../core/shop.js'
import type {
  OrderPreview,
  PreviewOrder,
  PreviewWindow,
  WindowPreview,
} from '../../shipping/export/previews.js'
import type { ReasonReport, SkipReason } from '../../shipping/export/skip-reason.js'
import { orderPreviewPath, resendReasonPath, windowPreviewPath } from './overview-paths.js'

/** The orders that a window would match, in a form that fits in JSON. */
export type WindowReport = Omit<WindowPreview, 'window' | 'orders'> & {
  window?: { after: string; before: string }
  orders: (Reported<Omit<WindowPreview['orders'][number], 'updatedAt'>> & { updatedAt: string })[]
}

/** An order as ShipStation would get it, or why it would not. */
export type OrderReport =
  Exclude<OrderPreview, { is: 'left-out' }> | Reported<Extract<OrderPreview, { is: 'left-out' }>>

/** With the reasons in the language of the request. */
type Reported<Skipped> = Omit<Skipped, 'reasons'> & { reasons: ReasonReport[] }

interface OverviewAccess extends EndpointAccess {
  options: Pick<ShopOptions, 'products'>
  partsOf: (payload: BasePayload) => Promise<{
    failures: Pick<Failures, 'resend'>
    previewOrder: PreviewOrder
    previewWindow: PreviewWindow
  }>
}

export function overviewEndpoints(access: OverviewAccess): Endpoint[] {
  const { shipping, marketing } = access.options.products
  return [
    ...(shipping ? previewEndpoints(access) : []),
    ...(marketing ? [resendEndpoint(access)] : []),
  ]
}

function previewEndpoints(access: OverviewAccess): Endpoint[] {
  const endpoint = jsonEndpoints(access)
  return [
    endpoint('get', orderPreviewPath, async ({ previewOrder }, req): Promise<OrderReport> => {
      const url = req.url ?? req.payload.config.serverURL
      const origin = publicOrigin({ url, headers: req.headers })
      const preview = await previewOrder(textOf(req, 'reference'), origin)
      return preview.is === 'left-out' ? await reported(preview, req) : preview
    }),
    endpoint('get', windowPreviewPath, async ({ previewWindow }, req) => {
      const preview = await previewWindow({
        start_date: textOf(req, 'start_date'),
        end_date: textOf(req, 'end_date'),
        store: textOf(req, 'store'),
      })
      const orders = await Promise.all(preview.orders.map((order) => reported(order, req)))
      return { ...preview, orders }
    }),
  ]
}

const resendEndpoint = (access: OverviewAccess): Endpoint =>
  jsonEndpoints(access)('post', resendReasonPath, async ({ failures }, req) => {
    const query = reasonSchema.safeParse(await req.json?.().catch(() => undefined))
    if (!query.success) {
      const [field = 'reason'] = query.error.issues.flatMap(({ path }) => path)
      throw new Problem('PARAMETER_INVALID', {
        message: `The field "${String(field)}" is not valid.`,
      })
    }
    return { count: await failures.resend(query.data) }
  })

async function reported<Skipped extends { reasons: SkipReason[] }>(
  skipped: Skipped,
  req: PayloadRequest,
): Promise<Reported<Skipped>> {
  const { reportReason } = await import('../../shipping/export/skip-reason.js')
  const translate = translatorOf(req)
  return { ...skipped, reasons: skipped.reasons.map((reason) => reportReason(reason, translate)) }
}

const textOf = ({ searchParams }: PayloadRequest, name: string): string =>
  searchParams.get(name)?.trim() ?? ''

const reasonSchema = z.object({
  reason: z.string(),
  since: z.optional(z.pipe(z.iso.datetime(), z.coerce.date())),
})
