import type { CollectionConfig, Field, PayloadRequest } from 'payload'
import { reasonsThatApply, type PassedOverCounts } from './passed-over.js'
import { readOnlyAccess, type IsAdmin } from '../store/payload/admin-access.js'
import { adminGroup, label, labels } from '../store/payload/label.js'
import { historyEndpoints } from './history-endpoints.js'
import { historiesSlug } from './history-table.js'

/** Past orders that a merchant had sent to the marketing platform; one record for each time. */
export const historyCollection = (isAdmin: IsAdmin): CollectionConfig => ({
  slug: historiesSlug,
  labels: labels('history', 'histories'),
  admin: {
    group: adminGroup,
    description: label('historiesDescription'),
    useAsTitle: 'from',
    defaultColumns: ['from', 'to', 'state', 'done', 'total', 'events', 'createdAt'],
  },
  access: readOnlyAccess(isAdmin),
  defaultSort: '-createdAt',
  disableDuplicate: true,
  lockDocuments: false,
  endpoints: historyEndpoints(isAdmin),
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
      options: [
        { value: 'counting', label: label('historyCounting') },
        { value: 'running', label: label('historyRunning') },
        { value: 'paused', label: label('historyPaused') },
        { value: 'cancelled', label: label('historyCancelled') },
        { value: 'done', label: label('historyDone') },
        { value: 'failed', label: label('historyFailed') },
      ],
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
      // Kept as JSON, so that each reads it in their own language.
      hooks: { afterRead: [({ value, req }): unknown => sentencesOf(value, req)] },
    },
    {
      name: 'lastError',
      type: 'text',
      label: label('historyLastError'),
      // Kept as a key, so that each reads it in their own language.
      hooks: {
        afterRead: [
          ({ value, req }): unknown =>
            value === 'historyGivenUp' ? label('historyGivenUp')(req) : value,
        ],
      },
    },
    { name: 'startedBy', type: 'text', label: label('historyStartedBy') },
    { name: 'endedAt', type: 'date', label: label('historyEndedAt') },
    // Blank when the run is over: two cannot be under way, as their texts would be the same.
    hidden('underWay', { unique: true }),
    // Which call began it.
    hidden('key', { unique: true }),
    // Where it is, as JSON: the last order that was stored, and how often the next page has failed.
    hidden('cursor'),
  ],
})

/** What a run was kept from telling, a line for each reason. */
const sentencesOf = (value: unknown, req: PayloadRequest): unknown =>
  typeof value === 'string'
    ? reasonsThatApply(JSON.parse(value) as PassedOverCounts)
        .map(({ reason, count }) => label(reason, { count: String(count) })(req))
        .join('\n')
    : value

const hidden = (name: string, options: { unique?: true } = {}): Field => ({
  name,
  type: 'text',
  ...options,
  admin: { hidden: true },
})
