import type { CallName } from './calls.ts'

/** One item of a bulk body, or the only one of a single body, with the pointer to it. */
export interface Item {
  item: unknown
  pointer: string
}

interface ManyProfiles {
  data: { attributes: { profiles: { data: unknown[] } } }
}

interface ManyEvents {
  data: {
    attributes: {
      'events-bulk-create': { data: { attributes: { events: { data: unknown[] } } }[] }
    }
  }
}

/** The items of a body that passed its check. A profile with its events is taken apart. */
export function itemsOf(name: CallName, body: unknown): Item[] {
  switch (name) {
    case 'events':
      return eventItems(body as ManyEvents)
    case 'subscribe':
    case 'unsubscribe':
      return listed(
        (body as ManyProfiles).data.attributes.profiles.data,
        '/data/attributes/profiles/data',
      )
    case 'list-members':
      return listed((body as { data: unknown[] }).data, '/data')
    case 'event':
    case 'profile':
    case 'delete-profile':
      return [{ item: body, pointer: '/data/attributes' }]
    default:
      return []
  }
}

const listed = (items: unknown[], pointer: string): Item[] =>
  items.map((item, at) => ({ item, pointer: `${pointer}/${at}` }))

const eventItems = (body: ManyEvents): Item[] =>
  body.data.attributes['events-bulk-create'].data.flatMap((group, at) => {
    const pointer = `/data/attributes/events-bulk-create/data/${at}`
    const { events, ...rest } = group.attributes
    return events.data.map((event, eventAt) => ({
      item: { ...rest, event },
      pointer: events.data.length === 1 ? pointer : `${pointer}/attributes/events/data/${eventAt}`,
    }))
  })
