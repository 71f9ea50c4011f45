import type { World } from './world.js'

/**
 * What a run has left in the shop and at both platforms, a line for each thing: without what chance decides (ids that
 * are made of it) or a look for what waits (dates, in which order events of two people come, whether who has left again was
 * on a list meanwhile).
 */
export async function finalState(world: World): Promise<string[]> {
  const orders = await world.rows(
    'select number, status, internal_notes as note, person_erased as erased from orders order by id',
  )
  const parcels = await world.rows(
    'select _parent_id as "order", carrier, tracking_number as number from orders_tracking order by 1, 3',
  )
  const sends = await world.rows(
    `select profile, kind, case when cast(state as text) = 'failed' then 'failed' else 'done' end as state,
      count(*) as many from marketing_sends group by 1, 2, 3 order by 1, 2, 3`,
  )
  const places = new Map(orders.map(({ number }, index) => [String(number), index + 1]))
  const named = (id: string) =>
    id.replace(orderNumber, (number) => `order ${places.get(number)}`).replace(rowId, 'a line')
  return [
    ...numbered(
      'order',
      orders.map(({ status, note, erased }) => ({ status, note, erased })),
    ),
    ...numbered('parcel', parcels),
    ...sends.map((send) => line('sends', { ...send, many: Number(send.many) })),
    ...numbered('pull', world.shipments.pulled()),
    ...peopleOf(world, named).map((person) => line('at Klaviyo', person)),
    ...productsOf(world).map((product) => line('in the catalog', product)),
  ]
}

const line = (what: string, values: unknown): string => `${what} ${JSON.stringify(values)}`
const numbered = (what: string, all: readonly unknown[]): string[] =>
  all.map((values, index) => line(`${what} ${index + 1}`, values))

const orderNumber = /^[0-9a-f]{32}/
const rowId = /[0-9a-f]{24}$/

function peopleOf({ klaviyo: { state } }: World, named: (id: string) => string) {
  return [...state.profiles.values()]
    .map(({ id, attributes, properties, consent, suppressions }) => ({
      email: attributes.email ?? '',
      step: properties.step,
      consent: consent.email?.status,
      isSuppressed: suppressions.length > 0,
      events: state.events
        .filter(({ profile }) => profile === id)
        // SQLite gives the id of the last review again when that was deleted.
        .map(({ metric, uniqueId, properties: { review_content: text } }) =>
          typeof text === 'string' ? `${metric} ${text}` : `${metric} ${named(uniqueId)}`,
        )
        .toSorted(),
    }))
    .toSorted((one, other) => (one.email < other.email ? -1 : 1))
}

/** A draft that Klaviyo has never heard of is as good as one that it has. SQLite gives ids of deleted products again. */
const productsOf = ({ klaviyo: { state } }: World) =>
  (['item', 'variant'] as const).flatMap((kind) =>
    [...state.catalog.of(kind).values()]
      .filter(({ attributes }) => attributes.published === true)
      .map(({ attributes: { title, inventory_quantity } }) => ({ kind, title, inventory_quantity }))
      .toSorted((one, other) => (String(one.title) < String(other.title) ? -1 : 1)),
  )
