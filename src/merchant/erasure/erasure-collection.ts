import type { BasePayload, CollectionConfig, Endpoint, NumberField, PayloadRequest } from 'payload'
import * as z from 'zod/mini'
import { Problem } from '../../core/errors.js'
import { recordCollection } from '../../core/payload/admin-access.js'
import { adminEndpoint, type EndpointAccess } from '../../core/payload/admin-endpoint.js'
import { label, labels, type TranslationKey } from '../../core/payload/label.js'
import { stateCell } from '../../core/payload/state-cell.js'
import type { Products } from '../../core/shop.js'
import { orderChoices } from './erasure-options.js'
import { erasuresSlug, type Erasure, type FoundCounts } from './erasure-table.js'
import type { Erasures } from './erasures.js'

interface ErasureAccess extends EndpointAccess {
  partsOf: (payload: BasePayload) => Promise<{ erasures: Erasures }>
}

/** An email has at most 254 characters. The shop says itself whether it is one. */
const email = z.string().check(z.maxLength(254))
const eraseBody = z.object({ email, orders: z.optional(z.enum(orderChoices)) })

/** The email is posted to preview an erasure, too, because URLs are logged. */
function erasureEndpoints({ partsOf, ...access }: ErasureAccess): Endpoint[] {
  const endpoint = <Body>(
    path: `/${string}`,
    schema: z.ZodMiniType<Body>,
    answer: (body: Body, erasures: Erasures, req: PayloadRequest) => Promise<Response>,
  ) =>
    adminEndpoint(access, {
      method: 'post',
      path,
      async answer(req) {
        const { erasures } = await partsOf(req.payload)
        const { data } = schema.safeParse(await req.json?.().catch(() => undefined))
        if (data === undefined) throw new Problem('EMAIL_INVALID')
        return answer(data, erasures, req)
      },
    })
  return [
    endpoint('/preview', z.object({ email }), async (body, erasures) => {
      const { byDefault: orders, keepFields } = erasures
      return Response.json({ found: await erasures.preview(body.email), orders, keepFields })
    }),
    endpoint('/erase', eraseBody, async (body, erasures, { user }) => {
      const { email, orders = erasures.byDefault } = body
      const askedBy = user?.email ?? undefined
      const erased = await erasures.erase(email, { orders, door: 'admin', askedBy })
      return Response.json({ erased }, { status: 201 })
    }),
  ]
}

/** The erasures: one record for each, which names nobody once it is done. */
export const erasureCollection = (
  access: ErasureAccess,
  { marketing: hasKlaviyo }: Products,
): CollectionConfig => ({
  slug: erasuresSlug,
  labels: labels('erasure', 'erasures'),
  admin: {
    group: false,
    description: label('erasuresDescription'),
    useAsTitle: 'createdAt',
    listSearchableFields: ['askedBy'],
    defaultColumns: hasKlaviyo
      ? ['createdAt', 'door', 'state', 'klaviyo', 'orderCount', 'sendCount']
      : ['createdAt', 'door', 'state', 'orderCount'],
    components: { beforeListTable: ['payload-storeconnect/client#ErasureForm'] },
  },
  ...recordCollection(access.isAdmin),
  defaultSort: '-createdAt',
  endpoints: erasureEndpoints(access),
  fields: [
    { ...chosen('state', 'erasureState', stateNames), admin: stateCell },
    {
      ...chosen('klaviyo', 'erasureKlaviyo', klaviyoNames),
      admin: stateCell,
      hidden: !hasKlaviyo,
    },
    chosen('door', 'erasureDoor', doorNames),
    { name: 'askedBy', type: 'text', label: label('erasureAskedBy') },
    chosen('orders', 'erasureOrders', orderNames),
    ...Object.entries(countNames).map(([name, title]): NumberField => ({
      name,
      type: 'number',
      label: label(title),
      hidden: name === 'sendCount' && !hasKlaviyo,
    })),
    { name: 'endedAt', type: 'date', label: label('erasureEndedAt') },
    // Names the erasure in the keys of its sends.
    { name: 'key', type: 'text', unique: true, hidden: true },
    { name: 'jobs', type: 'number', hidden: true },
    // Who is erased, until it is done. The API never returns it.
    { name: 'person', type: 'json', hidden: true },
  ],
})

const stateNames: Readonly<Record<Erasure['state'], TranslationKey>> = {
  asked: 'erasureAsked',
  erased: 'erasureErased',
  waiting: 'erasureWaiting',
  done: 'erasureDone',
}

const klaviyoNames: Readonly<Record<Erasure['klaviyo'], TranslationKey>> = {
  none: 'erasureKlaviyoNone',
  waiting: 'erasureKlaviyoWaiting',
  failed: 'erasureKlaviyoFailed',
  accepted: 'erasureKlaviyoAccepted',
}

const doorNames: Readonly<Record<Erasure['door'], TranslationKey>> = {
  account: 'erasureByAccount',
  admin: 'erasureByAdmin',
  command: 'erasureByCommand',
}

const orderNames: Readonly<Record<Erasure['orders'], TranslationKey>> = {
  keep: 'erasureOrdersKept',
  anonymise: 'erasureOrdersAnonymised',
}

const countNames: Readonly<Record<keyof FoundCounts, TranslationKey>> = {
  orderCount: 'erasureOrderCount',
  cartCount: 'erasureCartCount',
  paymentCount: 'erasurePaymentCount',
  addressCount: 'erasureAddressCount',
  sendCount: 'erasureSendCount',
}

const chosen = (
  name: string,
  title: TranslationKey,
  names: Readonly<Record<string, TranslationKey>>,
) =>
  ({
    name,
    type: 'select',
    label: label(title),
    options: Object.entries(names).map(([value, text]) => ({ value, label: label(text) })),
  }) as const
