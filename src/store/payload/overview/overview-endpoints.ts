import { Forbidden, type Endpoint, type PayloadHandler, type PayloadRequest } from 'payload'
import { z } from 'zod'
import type { WindowPreview } from '../../../actions/order-export/preview-window.js'
import { Problem } from '../../../errors.js'
import { publicOrigin } from '../../../http/public-origin.js'
import { partsOf, type Installed } from '../../../installation.js'
import type { IsAdmin } from '../admin-access.js'
import { ownPagesOnly } from '../own-pages-only.js'
import { orderPreviewPath, resendReasonPath, windowPreviewPath } from './overview-paths.js'

/** What a window would match, as JSON has it. */
export type WindowReport = Omit<WindowPreview, 'window' | 'orders'> & {
  window?: { after: string; before: string }
  orders: (Omit<WindowPreview['orders'][number], 'updatedAt'> & { updatedAt: string })[]
}

/** What the merchant's page asks for after it is there. */
export function overviewEndpoints(isAdmin: IsAdmin): Endpoint[] {
  const forAdmins = adminsOnlyEndpoint(isAdmin)
  return [
    forAdmins('get', orderPreviewPath, ({ previewOrder }, req) =>
      previewOrder(textOf(req, 'reference'), publicOrigin(addressOf(req))),
    ),
    forAdmins('get', windowPreviewPath, ({ previewWindow }, req) =>
      previewWindow({
        start_date: textOf(req, 'start_date'),
        end_date: textOf(req, 'end_date'),
        store: textOf(req, 'store'),
      }),
    ),
    forAdmins('post', resendReasonPath, async ({ overview }, req) => {
      const { code } = await readReason(req)
      return { count: await overview.resend(code) }
    }),
  ]
}

type Answer = (parts: Installed, req: PayloadRequest) => Promise<unknown>

const adminsOnlyEndpoint =
  (isAdmin: IsAdmin) =>
  (method: 'get' | 'post', path: string, answer: Answer): Endpoint => {
    const handler: PayloadHandler = async (req) => {
      if (!(await isAdmin({ req }))) throw new Forbidden(req.t)
      try {
        const body = await answer(partsOf(req.payload), req)
        return Response.json(body, { headers: { 'cache-control': 'no-store' } })
      } catch (error) {
        if (!(error instanceof Problem)) throw error
        const { code, log, message, status } = error
        req.payload.logger.error({ ...log, code }, message)
        return refusal(message, status)
      }
    }
    return { path, method, handler: method === 'get' ? handler : ownPagesOnly(handler) }
  }

const refusal = (message: string, status: number) =>
  Response.json({ errors: [{ message }] }, { status })

const textOf = ({ searchParams }: PayloadRequest, name: string): string =>
  searchParams.get(name)?.trim() ?? ''

const addressOf = ({ url, headers, payload }: PayloadRequest) => ({
  url: url ?? payload.config.serverURL,
  headers,
})

const reasonSchema = z.object({ code: z.string() })

/** @throws {Problem} PARAMETER_INVALID */
async function readReason(req: PayloadRequest): Promise<{ code: string }> {
  const body: unknown = await req.json?.().catch(() => undefined)
  const reason = reasonSchema.safeParse(body)
  if (!reason.success) throw new Problem('PARAMETER_INVALID')
  return reason.data
}
