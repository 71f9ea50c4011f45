import type { PayloadRequest } from 'payload'
import * as z from 'zod/mini'
import { messageLimits } from '../klaviyo/limits.js'
import { label } from '../../core/payload/label.js'
import { settingText } from '../../core/payload/setting-choice.js'
import { chosen, described, listOf } from '../../core/payload/setting-kinds.js'
import type { Setting } from '../../core/payload/settings-table.js'
import type { OrderStatuses } from '../../shop/orders/order-choices.js'

/** The name of the event of a status. */
export interface StatusEvent {
  /** The status's handle. */
  status: string
  /** The event's name, without the prefix. */
  event: string
}

/** A prefix and an event name of this length, with a space between, fit Klaviyo's limit. */
export const nameLength = messageLimits.eventNameLength / 2 - 1

const view = { description: 'statusEventsDescription' } as const

/** The setting that names the events of statuses: rows of a status and an event name. */
export const statusEventsSetting: Setting<readonly StatusEvent[], OrderStatuses> = {
  ...view,
  schema: z._default(z.array(z.strictObject({ status: z.string(), event: z.string() })), []),
  field: ({ name, preset, parts: { statusesIn } }) => ({
    name,
    type: 'array',
    ...described(name, view),
    labels: { singular: label('statusEvent'), plural: label('statusEvents') },
    defaultValue: preset.map((row) => ({ ...row })),
    fields: [
      {
        type: 'row',
        fields: [
          chosen(
            {
              name: 'status',
              type: 'text',
              required: true,
              label: label('statusEventStatus'),
              validate: (value: unknown, { req }: { req: PayloadRequest }) =>
                statusesIn(req.payload).some((status) => status.value === settingText(value)) ||
                label('statusUnknown')(req),
            },
            statusesIn,
          ),
          {
            name: 'event',
            type: 'text',
            required: true,
            maxLength: nameLength,
            label: label('statusEventName'),
          },
        ],
      },
    ],
  }),
  read: (stored, presets) => complete(listOf(stored, presets)),
}

/** The rows that have both a status and a name. The first row of a status counts. */
function complete(rows: readonly unknown[]): StatusEvent[] {
  const byStatus = new Map<string, StatusEvent>()
  for (const row of rows as readonly Partial<Record<keyof StatusEvent, unknown>>[]) {
    const status = settingText(row.status)
    const event = settingText(row.event)
    if (status !== '' && event !== '' && !byStatus.has(status)) {
      byStatus.set(status, { status, event })
    }
  }
  return [...byStatus.values()]
}
