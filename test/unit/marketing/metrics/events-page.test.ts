import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { format, resolveConfig } from 'prettier'
import { expect, it } from 'vitest'
import type { MarketingEvent } from '../../../../src/marketing/klaviyo/message.js'
import type { Properties } from '../../../../src/marketing/klaviyo/profile.js'
import { eventTable } from '../../../../src/marketing/events/event-table.js'
import { exampleEvents } from '../../../../src/marketing/metrics/example-events.js'
import { aSite } from '../../shop/sites/a-site.js'
import { aContext, eventOf } from '../feeds/events.js'

const page = join(import.meta.dirname, '../../../../docs/events.md')

/** When the shop sends it. A status has no row of its own. */
function momentOf({ name }: MarketingEvent): string {
  const row = Object.values(eventTable).find((one) => one.name === name)
  const status = name.replace(' Order', '').toLowerCase()
  return (
    row?.sentWhen ?? `an order became ${status}${status === 'shipped' ? ', for each parcel' : ''}`
  )
}

/** How the unique ids of the examples are made. */
const idParts: readonly [RegExp, string][] = [
  [/^storeconnect-example:cart:.*$/, 'the number of the cart, the moment of the change'],
  [/^storeconnect-example:checkout:.*$/, 'the number of the cart, a digest of what it holds'],
  [/^storeconnect-example:added$/, 'the number of the cart, the moment, the product'],
  [/^storeconnect-example:review$/, 'the number of the order, and that it is about its review'],
  [/^[\w-]{43}$/, "a digest of the review's id and date"],
  [/^storeconnect-example:1$/, 'the number of the order, the id of the line'],
  [/^storeconnect-example:EXAMPLE1001$/, 'the number of the order, the tracking number'],
  [
    /^storeconnect-example:EXAMPLE1001:[\w-]+$/,
    'the number of the order, the tracking number, the state of the parcel',
  ],
  [/^storeconnect-example:\w+:1$/, 'the number of the order, the status, how often it had it'],
  [/^storeconnect-example$/, 'the number of the order'],
  [/^viewed:.*$/, 'none: each view is an event'],
]
const idOf = ({ uniqueId }: MarketingEvent) =>
  idParts.find(([pattern]) => pattern.test(uniqueId))?.[1] ?? 'unknown'

const json = (value: unknown) => ['```json', JSON.stringify(value, null, 2), '```'].join('\n')

/** The events that others are described by: those of a parcel, of a cart, and of an order. */
const bases = ['Shipment In Transit', 'Updated Cart', 'Placed Order']

function shapeOf({ name, properties }: MarketingEvent, events: readonly MarketingEvent[]): string {
  const own = without(properties, { Example: true })
  const base = bases.find((other) => {
    const shared = events.find((event) => event.name === other)?.properties ?? {}
    return other !== name && Object.keys(shared).every((key) => key in properties)
  })
  if (base === undefined) return json(own)
  const further = without(own, events.find((event) => event.name === base)?.properties ?? {})
  const isSame = Object.keys(further).length === 0
  return isSame ? `As ${base}.` : `As ${base}, and:\n\n${json(further)}`
}

/** The end of the page is nothing that the examples show. */
function writtenByHand(): string {
  const text = readFileSync(page, 'utf8')
  return text.slice(text.indexOf(`## Klaviyo's guides`))
}

const without = (properties: Properties, others: Properties): Properties =>
  Object.fromEntries(
    Object.entries(properties).filter(
      ([key, value]) => JSON.stringify(others[key]) !== JSON.stringify(value),
    ),
  )

it('docs/events.md has every event as the code makes it: write it with `npx vitest run test/unit/marketing/metrics -u`', async () => {
  const baseUrl = 'https://shop.example'
  const sends = await exampleEvents({
    context: aContext({ baseUrl, site: aSite({ handle: 'main', baseUrl }) }),
    checkoutUrl: `${baseUrl}/actions/marketingconnect/cart/restore?number=…`,
    currency: 'EUR',
    statuses: ['processing', 'completed', 'shipped', 'cancelled', 'refunded'],
    words: {
      shippedStatus: 'shipped',
      labelOf: (status) => status[0]?.toUpperCase() + status.slice(1),
    },
    tracksParcels: true,
    hasPages: true,
    reviews: { isOn: true, areRequested: true },
  })
  const events = sends.map(eventOf)
  const text = `# Events

What the shop sends to Klaviyo, by the names of Klaviyo's guide. The code writes this page from its
[example events](settings.md#example-events-and-mapped-metrics), which you can send from the marketing settings.

- The [settings](settings.md#marketing) switch each event, rename those of statuses, and put a prefix before all names.
- The value of an event is the total of the order or the cart; of Ordered Product that of the line, of Viewed Product the
  price. An example is worth nothing, and has the property \`Example\`.
- A value that the shop does not know is left out. \`Categories\`, \`Brand\` and \`CompareAtPrice\` come from the fields that
  [\`productFields\`](options.md#name-your-collections-and-fields) names, as they were when the payment began; \`Reason\` comes from \`fields.reason\`.
  An order from before these were kept has none of them.
- \`RefundedQuantity\` and \`RefundedValue\`, of the order and of each item, are there when [refunds are told](options.md#tell-what-was-refunded).
  A refund of a part sends nothing by itself: the order's id stands for its first refund, and a second event with it would be lost. The
  events that follow have what was refunded until then.
- The events of shipments are about a parcel that has several states one after another, each once. They need
  [tracking updates](operations.md#have-parcels-tracked). Their time is that of the carrier.
- Submitted Review and Ready to Review are sent when [\`marketing.reviews\`](options.md#tell-klaviyo-of-reviews) names a collection.
  Both are worth nothing. The names of what is said of a review are those of [Klaviyo's own metric](https://help.klaviyo.com/hc/en-us/articles/16691649553179).
- An order's events have its id as \`OrderID\` and, as in Klaviyo's guide, as \`OrderId\`.
- What [Klaviyo's guides](#klaviyos-guides) ask for, and which test shows it, is at the end.
- \`orderProperties\`, \`lineItemProperties\` and \`beforeEvent\` [change them](options.md).

| Metric | Sent when | Unique id |
| --- | --- | --- |
${events.map((event) => `| [${event.name}](#${event.name.toLowerCase().replaceAll(' ', '-')}) | ${momentOf(event)} | ${idOf(event)} |`).join('\n')}

${events.map((event) => `## ${event.name}\n\n${shapeOf(event, events)}`).join('\n\n')}

${writtenByHand()}`
  const formatted = await format(text, { ...(await resolveConfig(page)), parser: 'markdown' })
  await expect(formatted).toMatchFileSnapshot(page)
})
