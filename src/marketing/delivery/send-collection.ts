import type { CollectionConfig, Field, BasePayload, Endpoint } from 'payload'
import { readDocumentId } from '../../core/database/document-id.js'
import { recordCollection } from '../../core/payload/admin-access.js'
import { label, labels } from '../../core/payload/label.js'
import { failuresView } from '../admin-paths.js'
import { sendFields } from './send-fields.js'
import { sendsSlug } from './send-table.js'
import { adminEndpoint, type EndpointAccess } from '../../core/payload/admin-endpoint.js'
import type { Effects } from '../../core/effects.js'
import type { Outbox } from './outbox.js'

interface SendAccess extends EndpointAccess {
  effects: Effects
  partsOf: (payload: BasePayload) => Promise<{ outbox: Pick<Outbox, 'resend' | 'dismiss'> }>
}

interface SendPages {
  hasTextIds: boolean
  timezone: string
  /** The collections to which a send's page leads. */
  ordersSlug: string
  customersSlug: string | undefined
}

/** What a merchant may do with a failed send, below the collection's own route. */
const sendEndpoints = (access: SendAccess): Endpoint[] =>
  (['resend', 'dismiss'] as const).map((act) =>
    adminEndpoint(access, {
      method: 'post',
      path: `/:id/${act}`,
      async answer({ payload, routeParams }) {
        const id = readDocumentId(payload, sendsSlug, String(routeParams?.id))
        if (typeof id !== 'number') return Response.json({ done: false }, { status: 404 })
        const isDone = await (await access.partsOf(payload)).outbox[act](id, access.effects.now())
        // Another request was faster, or the send has not failed.
        return Response.json({ done: isDone }, { status: isDone ? 200 : 409 })
      },
    }),
  )

/** Everything that is sent to Klaviyo. Only SQL writes its rows (`outbox.ts`), so it has no hooks. */
export const sendCollection = (
  access: SendAccess,
  { hasTextIds, ...pages }: SendPages,
): CollectionConfig => ({
  slug: sendsSlug,
  labels: labels('send', 'sends'),
  admin: {
    group: false,
    description: label('sendsDescription'),
    useAsTitle: 'profile',
    listSearchableFields: ['profile', 'metric', 'uniqueId', 'list'],
    // As many as a small screen shows without scrolling.
    components: {
      beforeListTable: ['payload-storeconnect/client#FailuresLink'],
      views: {
        failures: {
          path: failuresView,
          exact: true,
          Component: {
            path: 'payload-storeconnect/rsc#FailuresView',
            serverProps: { isAdmin: access.isAdmin, timezone: pages.timezone },
          },
        },
        edit: {
          root: {
            Component: {
              path: 'payload-storeconnect/rsc#SendView',
              serverProps: { isAdmin: access.isAdmin, ...pages },
            },
          },
        },
      },
    },
    defaultColumns: ['profile', 'state', 'kind', 'metric', 'acceptedAt', 'error.detail'],
  },
  ...recordCollection(access.isAdmin),
  defaultSort: '-id',
  // `acceptedAt` and `sentAt` replace Payload's timestamps, each of which would need an index.
  timestamps: false,
  endpoints: sendEndpoints(access),
  fields: [
    // Sends are ordered by their ids, so the ids are numbers even if other collections use text.
    ...(hasTextIds ? [numberId] : []),
    ...sendFields,
  ],
})

const numberId: Field = { name: 'id', type: 'number', admin: { hidden: true } }
