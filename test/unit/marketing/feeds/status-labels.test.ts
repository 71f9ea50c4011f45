import { expect, it } from 'vitest'
import { statusLabels } from '../../../../src/marketing/feeds/order-records.js'

const labelOf = statusLabels(
  [
    {
      name: 'status',
      type: 'select',
      options: [
        'processing',
        { value: 'paid', label: 'Paid in full' },
        { value: 'packed', label: { en: 'Ready', de: 'Fertig' } },
        { value: 'on-hold', label: () => 'Zurückgestellt' },
        { value: 'lost', label: { de: 'Verloren' } },
      ],
    },
  ],
  'status',
)

it.each([
  ['processing', 'Processing'],
  ['paid', 'Paid in full'],
  ['packed', 'Ready'],
  ['on-hold', 'On Hold'],
  ['lost', 'Lost'],
  ['sent_back', 'Sent Back'],
])('calls the status %s "%s"', (status, label) => {
  expect(labelOf(status)).toBe(label)
})
