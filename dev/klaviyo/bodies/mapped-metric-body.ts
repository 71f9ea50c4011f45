import { object, oneOf } from '../check.ts'
import { data, reference, resource } from './document.ts'

export const metricSlots = [
  'added_to_cart',
  'cancelled_sales',
  'ordered_product',
  'refunded_sales',
  'revenue',
  'started_checkout',
  'viewed_product',
]

const related = (type: string) => object({ resource: type, fields: { data: reference(type) } })

export const mappedMetricBody = data(
  resource('mapped-metric', {
    required: ['id'],
    fields: {
      id: oneOf(...metricSlots),
      relationships: object({
        resource: 'mapped-metric',
        fields: { metric: related('metric'), 'custom-metric': related('custom-metric') },
      }),
    },
  }),
)
