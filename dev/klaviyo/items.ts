import type { Body } from './bodies.ts'
import type { CallName } from './calls.ts'

/** One item of a bulk body, or the only one of a single body, with the pointer to it. */
export interface Item {
  item: unknown
  pointer: string
}

/** The items of a body that passed its check. A profile with its events is taken apart. */
export function itemsOf(name: CallName, body: unknown): Item[] {
  switch (name) {
    case 'events':
      return eventItems(body as Body<'events'>)
    case 'subscribe':
    case 'unsubscribe':
      return listed(
        (body as Body<'subscribe' | 'unsubscribe'>).data.attributes.profiles.data,
        '/data/attributes/profiles/data',
      )
    case 'coupon-job':
      return listed(
        (body as Body<'coupon-job'>).data.attributes['coupon-codes'].data,
        '/data/attributes/coupon-codes/data',
      )
    case 'list-members':
      return listed((body as Body<'list-members'>).data, '/data')
    case 'event':
    case 'profile':
    case 'delete-profile':
    case 'back-in-stock':
      return [{ item: body, pointer: '/data/attributes' }]
    default:
      return /^(create|update|delete)-/.test(name) ? catalogItems(body as Body<'create-items'>) : []
  }
}

const listed = (items: readonly unknown[], pointer: string): Item[] =>
  items.map((item, at) => ({ item, pointer: `${pointer}/${at}` }))

const catalogItems = (body: Body<'create-items'>): Item[] =>
  Object.entries(body.data.attributes).flatMap(([name, entries]) =>
    listed(entries?.data ?? [], `/data/attributes/${name}/data`),
  )

const eventItems = (body: Body<'events'>): Item[] =>
  body.data.attributes['events-bulk-create'].data.flatMap((group, at) => {
    const pointer = `/data/attributes/events-bulk-create/data/${at}`
    const { events, ...rest } = group.attributes
    return events.data.map((event, eventAt) => ({
      item: { ...rest, event },
      pointer: events.data.length === 1 ? pointer : `${pointer}/attributes/events/data/${eventAt}`,
    }))
  })
