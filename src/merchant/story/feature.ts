import type { BasePayload, Endpoint, Field, PayloadRequest, UIField } from 'payload'
import { readDocumentId, type DocumentId } from '../../core/database/document-id.js'
import { defineFeature, type StoreConfig } from '../../core/feature.js'
import { publicOrigin } from '../../core/http/public-origin.js'
import { fieldsOfOrders, standingColumn } from '../../shop/orders/order-fields.js'
import { adminEndpoint } from '../../core/payload/admin-endpoint.js'
import { notAColumn, notFilterable } from '../../core/payload/either-version.js'
import { addFieldAfter, addFields } from '../../core/payload/field-search.js'
import { label, labelText, translatorOf, type Translator } from '../../core/payload/label.js'
import type { ShippingParts } from '../../shipping/parts.js'
import { statusChoices } from '../../shop/orders/order-choices.js'
import { orderXmlPath, storyPath, type Story } from './story-entry.js'
import type { StoryParts } from './parts.js'

type Store = StoreConfig<object, StoryParts & ShippingParts>

/** The stories of orders and customers on their pages, for admins. */
export const storyFeature = defineFeature({
  fields: ({ options: { collections, products }, customersSlug, partsOf }: Store) => ({
    [collections.orders]: (orders) => ({
      ...orders,
      fields: [
        ...withTab(orders.fields, storyField('orders')),
        ...(products.shipping ? [standingField(partsOf)] : []),
      ],
    }),
    ...(customersSlug && {
      [customersSlug]: (customers) =>
        customers.auth
          ? { ...customers, fields: addFields(customers.fields, [storyField('customers')]) }
          : customers,
    }),
  }),
  endpoints: (store: Store): Endpoint[] => [
    adminEndpoint(store, {
      method: 'get',
      path: `${storyPath}/:of/:id`,
      async answer(req) {
        const story = await storyOf(store, req)
        if (story === undefined) return Response.json({ errors: [] }, { status: 404 })
        const statuses = statusNames(store, req)
        return Response.json({ ...story, statuses } satisfies Story)
      },
    }),
    ...(store.options.products.shipping
      ? [
          adminEndpoint(store, {
            method: 'get',
            path: orderXmlPath,
            answer: (req) => orderXml(store, req),
          }),
        ]
      : []),
  ],
  parts: async (products) => (await import('./parts.js')).loadStoryParts(products),
})

const storyField = (of: 'orders' | 'customers'): UIField => ({
  name: 'storeconnectStory',
  type: 'ui',
  admin: {
    components: {
      Field: { path: 'payload-storeconnect/client#StoryOfDocument', clientProps: { of } },
    },
    ...notAColumn,
  },
})

/** In a tab of its own where the orders have tabs, else behind the shipments. */
function withTab(fields: readonly Field[], field: UIField): Field[] {
  const tabs = fields.find((each) => each.type === 'tabs')
  if (tabs === undefined) return addFieldAfter(fields, 'shipments', field)
  const withStory = { ...tabs, tabs: [...tabs.tabs, { label: label('story'), fields: [field] }] }
  return fields.map((each) => (each === tabs ? withStory : each))
}

/** A column of the list. */
const standingField = (partsOf: Store['partsOf']): UIField => ({
  name: standingColumn,
  type: 'ui',
  label: 'ShipStation',
  admin: {
    components: {
      Cell: {
        path: 'payload-storeconnect/rsc#StandingCell',
        serverProps: {
          standingIn: async (payload: BasePayload, order: DocumentId, translate: Translator) =>
            (await partsOf(payload)).stories.standingOf(order, translate),
        },
      },
    },
    ...notFilterable,
  },
})

async function storyOf(
  { options, customersSlug, partsOf }: Store,
  req: PayloadRequest,
): Promise<Omit<Story, 'statuses'> | undefined> {
  const { payload, routeParams } = req
  const { stories } = await partsOf(payload)
  const idIn = (slug: string) => readDocumentId(payload, slug, String(routeParams?.id))
  if (routeParams?.of === 'customers') {
    const id = customersSlug === undefined ? undefined : idIn(customersSlug)
    return id === undefined ? undefined : stories.ofCustomer(id)
  }
  const id = routeParams?.of === 'orders' ? idIn(options.collections.orders) : undefined
  return id === undefined ? undefined : stories.ofOrder(id, translatorOf(req))
}

function statusNames({ options }: Store, { payload, i18n }: PayloadRequest) {
  const ofPayments = payload.collections[options.collections.transactions]?.config.fields ?? []
  const choices = statusChoices(fieldsOfOrders(payload, options), options.fields.status)
  return Object.fromEntries(
    [...statusChoices(ofPayments, 'status'), ...choices].map(({ value, label }) => [
      value,
      labelText(label, i18n) || value,
    ]),
  )
}

/** The XML of an order as a document of its own, or why ShipStation does not get it. */
async function orderXml(
  { partsOf }: { partsOf: (payload: BasePayload) => Promise<ShippingParts> },
  req: PayloadRequest,
): Promise<Response> {
  const { headers, payload, searchParams, url = payload.config.serverURL } = req
  const reference = searchParams.get('reference')?.trim() ?? ''
  const { previewOrder } = await partsOf(payload)
  const preview = await previewOrder(reference, publicOrigin({ url, headers }))
  const answer = (body: string, status: number, type: string) =>
    new Response(body, {
      status,
      headers: {
        'content-type': `${type}; charset=utf-8`,
        'content-security-policy': "default-src 'none'",
        'x-content-type-options': 'nosniff',
      },
    })
  switch (preview.is) {
    case 'exported':
      return answer(preview.xml, 200, 'text/xml')
    case 'not-found':
      return answer('', 404, 'text/plain')
    case 'left-out': {
      const { reportReason } = await import('../../shipping/export/skip-reason.js')
      const translate = translatorOf(req)
      const reasons = preview.reasons.map((reason) => reportReason(reason, translate).message)
      return answer(reasons.join('\n'), 200, 'text/plain')
    }
  }
}
