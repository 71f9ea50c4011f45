import type { CollectionConfig, DateField, Field, FieldHook, PayloadRequest } from 'payload'
import { readOnlyAccess } from '../store/payload/admin-access.js'
import { adminGroup, label, labels } from '../store/payload/label.js'
import { sendEndpoints, type SendAccess } from './send-endpoints.js'
import { sendsSlug } from './send-table.js'

/**
 * Everything that is told to the marketing platform, from the moment it is accepted. Rows are
 * written by SQL alone (`outbox.ts`), so the collection has no hooks and nobody may write it.
 */
export const sendCollection = (
  access: SendAccess,
  { hasTextIds }: { hasTextIds: boolean },
): CollectionConfig => ({
  slug: sendsSlug,
  labels: labels('send', 'sends'),
  admin: {
    group: adminGroup,
    description: label('sendsDescription'),
    useAsTitle: 'profile',
    listSearchableFields: ['profile', 'metric', 'uniqueId', 'list'],
    // As many as a small screen shows without scrolling.
    defaultColumns: ['acceptedAt', 'state', 'profile', 'kind', 'metric', 'error.detail'],
  },
  access: readOnlyAccess(access.isAdmin),
  defaultSort: '-id',
  disableDuplicate: true,
  lockDocuments: false,
  // `acceptedAt` and `sentAt` say more, and each of Payload's own would be one more index to write.
  timestamps: false,
  endpoints: sendEndpoints(access),
  fields: [
    // Sends are ordered by their ids, so these are numbers whatever the other collections have.
    ...(hasTextIds ? [numberId] : []),
    {
      name: 'actions',
      type: 'ui',
      // Not in the sidebar, which is below everything on a phone.
      admin: { components: { Field: 'payload-storeconnect/client#SendActions' } },
    },
    {
      name: 'state',
      type: 'select',
      label: label('sendState'),
      options: [
        { value: 'queued', label: label('sendQueued') },
        { value: 'sending', label: label('sendSending') },
        { value: 'sent', label: label('sendSent') },
        { value: 'failed', label: label('sendFailed') },
        { value: 'skipped', label: label('sendSkipped') },
      ],
      admin: { position: 'sidebar', description: label('sendStateDescription') },
    },
    {
      name: 'kind',
      type: 'select',
      label: label('sendKind'),
      options: [
        { value: 'event', label: label('sendEvent') },
        { value: 'identify', label: label('sendIdentify') },
        { value: 'list-add', label: label('sendListAdd') },
        { value: 'subscribe', label: label('sendSubscribe') },
        { value: 'past-event', label: label('sendPastEvent') },
      ],
    },
    {
      name: 'profile',
      type: 'text',
      label: label('sendProfile'),
      admin: { description: label('sendProfileDescription') },
      hooks: { afterRead: [addressAlone] },
    },
    { name: 'metric', type: 'text', label: label('sendMetric'), admin: whereFilled('metric') },
    {
      name: 'uniqueId',
      type: 'text',
      label: label('sendUniqueId'),
      admin: whereFilled('uniqueId'),
    },
    { name: 'list', type: 'text', label: label('sendList'), admin: whereFilled('list') },
    {
      name: 'error',
      type: 'group',
      label: label('sendError'),
      admin: { condition: (data: { error?: { code?: unknown } }) => Boolean(data.error?.code) },
      fields: [
        { name: 'code', type: 'text', label: label('sendErrorCode') },
        { name: 'detail', type: 'textarea', label: label('sendErrorDetail') },
        { name: 'status', type: 'number', label: label('sendErrorStatus') },
        {
          name: 'pointer',
          type: 'text',
          label: label('sendErrorPointer'),
          admin: { description: label('sendErrorPointerDescription') },
        },
      ],
    },
    {
      name: 'message',
      type: 'json',
      label: label('sendMessage'),
      admin: { components: { Field: 'payload-storeconnect/client#SendMessage' } },
    },
    moment({ name: 'acceptedAt', type: 'date', label: label('sendAcceptedAt') }),
    moment(
      { name: 'nextAttemptAt', type: 'date', label: label('sendNextAttemptAt') },
      label('sendNextAttemptAtDescription'),
    ),
    {
      name: 'attempts',
      type: 'number',
      label: label('sendAttempts'),
      admin: { position: 'sidebar', ...whereFilled('attempts') },
    },
    moment({ name: 'sentAt', type: 'date', label: label('sendSentAt'), index: false }),
    // What makes a repeat the same send.
    hidden({ name: 'key', type: 'text', unique: true }),
    hidden({ name: 'bytes', type: 'number' }),
    // How many may share its call; empty where the call itself says how many.
    hidden({ name: 'batchSize', type: 'number' }),
    // How many processes were lost while it was the only one in its call.
    hidden({ name: 'crashes', type: 'number' }),
    // The call that it is in, or was in when its process was lost.
    hidden({ name: 'call', type: 'text' }),
    // An asynchronous import whose errors have not been asked for.
    hidden({ name: 'job', type: 'text', index: true }),
  ],
})

/** People read the address alone; the API has it as sends are ordered by it: `email:ada@example.com`. */
const addressAlone: FieldHook = ({ value, req }: { value?: unknown; req: PayloadRequest }) =>
  req.payloadAPI === 'local' && typeof value === 'string'
    ? value.replace(/^(email|phone):/, '')
    : value

const numberId: Field = { name: 'id', type: 'number', admin: { hidden: true } }

type PlainField = Extract<Field, { type: 'text' | 'number' | 'date' | 'checkbox' }>

const hidden = (field: PlainField): Field => ({ ...field, admin: { hidden: true } })

const moment = (field: DateField, description?: ReturnType<typeof label>): Field => ({
  ...field,
  admin: {
    position: 'sidebar',
    date: { pickerAppearance: 'dayAndTime', displayFormat: 'd MMM yyyy, HH:mm:ss' },
    ...(description && { description }),
  },
})

const whereFilled = (name: string) => ({
  condition: (data: Record<string, unknown>) => Boolean(data[name]),
})
