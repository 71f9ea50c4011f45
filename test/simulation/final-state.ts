import type { Run, SimulatedShop, World } from './world.js'

/**
 * What a run has left in the shop and at both platforms, as lines of text: without what depends on chance (ids that
 * are made of it) or on when somebody looks (dates, the values of an order at the moment of its event).
 */
export async function finalState(world: World): Promise<string[]> {
  const orders = await world.rows(
    'select id, number, status, internal_notes as note, person_erased as erased from orders order by id',
  )
  const parcels = await world.rows(
    'select _parent_id as id, carrier, tracking_number as number from orders_tracking order by 1, 3',
  )
  const sends = await world.rows(
    `select profile, kind, case when cast(state as text) = 'failed' then error_code else 'done' end as state, count(*) as many
      from marketing_sends group by 1, 2, 3 order by 1, 2, 3`,
  )
  const names = new Map(orders.map(({ number }, place) => [String(number), `order ${place + 1}`]))
  const named = (id: string) =>
    id.replace(orderNumber, (number) => names.get(number) ?? number).replace(rowId, 'a row')
  const line = (what: string, values: object) => `${what} ${JSON.stringify(values)}`
  return [
    ...orders.map(({ status, note, erased }) => line('order', { status, note, erased })),
    ...parcels.map(({ id, carrier, number }) => line('parcel', { id, carrier, number })),
    ...sends.map((send) => line('sends', { ...send, many: Number(send.many) })),
    ...world.shipments.pulled().map((pages) => line('pull', pages)),
    ...peopleOf(world, named).map((person) => line('Klaviyo', person)),
    ...productsOf(world).map((product) => line('catalog', product)),
  ]
}

const orderNumber = /^[0-9a-f]{32}/
const rowId = /[0-9a-f]{24}$/

/** Those of the posts are in their order; when a feed reads the shop is decided by chance. */
function peopleOf({ klaviyo: { state } }: World, named: (id: string) => string) {
  return [...state.profiles.values()]
    .map(({ id, attributes, properties, consent, suppressions }) => {
      const events = state.events.filter(({ profile }) => profile === id)
      const posted = events.filter(({ metric }) => metric === 'Simulated')
      return {
        email: attributes.email ?? '',
        step: properties.step,
        consent: consent.email?.status,
        isSuppressed: suppressions.length > 0,
        lists: [...state.lists.values()].flatMap((list) => (list.members.has(id) ? list.id : [])),
        posted: posted.map(({ uniqueId }) => uniqueId).toSorted(),
        ofShop: events
          .filter((event) => !posted.includes(event))
          .map(({ metric, uniqueId }) => `${metric} ${named(uniqueId)}`)
          .toSorted(),
      }
    })
    .toSorted((one, other) => (one.email < other.email ? -1 : 1))
}

/** What was deleted before Klaviyo heard of it was never there, and is no difference to a draft. */
const productsOf = ({ klaviyo: { state } }: World) =>
  (['item', 'variant'] as const).flatMap((kind) =>
    [...state.catalog.of(kind).values()]
      .filter(({ attributes }) => attributes.published === true)
      .map(({ externalId, attributes: { title, inventory_quantity } }) => ({
        id: externalId,
        title,
        inventory_quantity,
      }))
      .toSorted((one, other) => (one.id < other.id ? -1 : 1)),
  )

/** Plays a run in each of these shops. What they do not leave alike is wrong, too. */
export async function playAlike(shops: readonly SimulatedShop[], run: Run) {
  const problems: string[] = []
  const trace: string[] = []
  const states: string[][] = []
  for (const shop of shops) {
    const played = await shop.play(run)
    problems.push(...played.problems)
    trace.push(...played.trace)
    if (shops.length > 1) states.push(await played.state())
  }
  const [one = [], other = []] = states
  return { problems: [...problems, ...differences(one, other)], trace }
}

const differences = (one: readonly string[], other: readonly string[]): string[] => [
  ...one.filter((line) => !other.includes(line)).map((line) => `only in the first: ${line}`),
  ...other.filter((line) => !one.includes(line)).map((line) => `only in the second: ${line}`),
]
