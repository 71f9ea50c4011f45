import { describe, expect, it, vi } from 'vitest'
import type { Properties } from '../../../../src/marketing/klaviyo/profile.js'
import type { EventContext } from '../../../../src/marketing/events/event-context.js'
import { cartSend, orderSends } from '../../../../src/marketing/events/event-sends.js'
import { personOf } from '../../../../src/marketing/events/person.js'
import { subjectDetails } from '../../../../src/marketing/feeds/subject-details.js'
import { aCart, aContext, aLine, anOrder, entered, eventOf, happenedAt, placed } from './events.js'

type Hooks = EventContext['hooks']

const order = anOrder({ items: [aLine(), aLine({ id: 'line-2', sku: 'POT' })] })

async function report(hooks: Hooks) {
  const context = aContext({ hooks })
  const sends = await orderSends(order, [placed, entered('cancelled')], context)
  return { events: sends.map(eventOf), log: context.lines }
}

const detailsWith = (hooks: Hooks) =>
  subjectDetails({ kind: 'order', order }, personOf(order), aContext({ hooks }))

const names = (events: readonly { name: string }[]) => events.map(({ name }) => name)

const everything = ['Placed Order', 'Ordered Product', 'Ordered Product', 'Cancelled Order']

describe('orderProperties', () => {
  it('changes what the events of the whole order say, and no Ordered Product', async () => {
    const { events } = await report({
      orderProperties: (properties, about) =>
        Promise.resolve({ ...properties, Gift: about.kind === 'order' && about.order.gift }),
    })
    const gifts = events.map(({ properties }) => properties.Gift)
    expect(gifts).toEqual([false, undefined, undefined, false])
  })

  it('is asked about carts too, and about the order of an event of the own', async () => {
    const hooks: Hooks = { orderProperties: (_, { kind }) => ({ kind }) }
    const person = { email: 'ada@example.com' }
    const happening = { kind: 'updated', cart: aCart(), person, at: happenedAt } as const
    const send = await cartSend(happening, aContext({ hooks }))
    expect(eventOf(send).properties).toEqual({ kind: 'cart' })
    const details = await detailsWith(hooks)
    expect(details?.properties).toEqual({ kind: 'order' })
  })

  it('vetoes the events of the whole order', async () => {
    const hooks: Hooks = { orderProperties: () => false }
    const { events, log } = await report(hooks)
    expect(names(events)).toEqual(['Ordered Product', 'Ordered Product'])
    expect(log).toEqual([])
    expect(await detailsWith(hooks)).toBeUndefined()
  })

  it.each<[string, Hooks['orderProperties']]>([
    ['throws', () => Promise.reject(new Error('Ouch'))],
    ['returns nothing', (() => undefined) as unknown as Hooks['orderProperties']],
    ['returns a list', (() => []) as unknown as Hooks['orderProperties']],
  ])('costs the events of the whole order when it %s, and the log says so', async (_, hook) => {
    const { events, log } = await report({ ...(hook && { orderProperties: hook }) })
    expect(names(events)).toEqual(['Ordered Product', 'Ordered Product'])
    const sentence = 'The orderProperties hook failed'
    expect(log).toMatchObject([{ level: 'error', fields: { reference: 'A-1001' }, sentence }])
  })
})

describe('lineItemProperties', () => {
  it('changes a line item in every event that has it', async () => {
    const { events } = await report({
      lineItemProperties: (properties, { line }) => ({ ...properties, Brand: `Of ${line.sku}` }),
    })
    expect(events[0]?.properties.Items).toMatchObject([{ Brand: 'Of TEA-1' }, { Brand: 'Of POT' }])
    const brands = events.slice(1, 3).map(({ properties }) => properties.Brand)
    expect(brands).toEqual(['Of TEA-1', 'Of POT'])
  })

  it('vetoes a line item: it is among no Items and has no Ordered Product', async () => {
    const { events } = await report({
      lineItemProperties: (properties, { line }) => line.sku !== 'POT' && properties,
    })
    expect(names(events)).toEqual(['Placed Order', 'Ordered Product', 'Cancelled Order'])
    expect(events[0]?.properties.Items).toHaveLength(1)
    expect(events[0]?.properties).not.toHaveProperty('ItemsLeftOut')
  })

  it('costs the events of that line when it throws, and nothing else', async () => {
    const { events, log } = await report({
      lineItemProperties: (properties, { line }) => {
        if (line.sku === 'POT') throw new Error('Ouch')
        return properties
      },
    })
    expect(names(events)).toEqual(['Ordered Product'])
    expect(events[0]?.properties.SKU).toBe('TEA-1')
    expect(log).toHaveLength(1)
  })
})

describe('every hook', () => {
  it('may change in place what it is given, and no other message notices', async () => {
    const spoil = (properties: Properties): Properties => {
      const items = (properties.Items ?? []) as Properties[]
      for (const item of items) Object.assign(item, { SKU: 'spoilt' })
      return properties
    }
    const byOrder = await report({ orderProperties: spoil })
    const lines = byOrder.events.filter(({ name }) => name === 'Ordered Product')
    expect(lines.map(({ properties }) => properties.SKU)).toEqual(['TEA-1', 'POT'])

    const byEvent = await report({
      beforeEvent: (event) => {
        if (event.name === 'Placed Order') spoil(event.properties)
        return event
      },
    })
    expect(names(byEvent.events)).toEqual(everything)
    expect(byEvent.events[0]?.properties.Items).toMatchObject([
      { SKU: 'spoilt' },
      { SKU: 'spoilt' },
    ])
    expect(byEvent.events[3]?.properties.Items).toMatchObject([{ SKU: 'TEA-1' }, { SKU: 'POT' }])
  })

  it('gives values that the platform cannot hold to nobody, and the log names them', async () => {
    const { events, log } = await report({
      orderProperties: (properties) => ({
        ...properties,
        Odd: Number.NaN,
        None: undefined as unknown as string,
        Long: 'x'.repeat(200_000),
      }),
    })
    for (const name of ['Odd', 'None', 'Long']) {
      expect(events[0]?.properties).not.toHaveProperty(name)
    }
    const leftOut = [{ field: 'orderProperties[Long]' }]
    expect(log).toMatchObject([{ level: 'warn', fields: { leftOut } }])
  })

  it('is asked about every event by its name with the prefix', async () => {
    const beforeEvent = vi.fn<NonNullable<Hooks['beforeEvent']>>((event) => event)
    const beforeProfile = vi.fn<NonNullable<Hooks['beforeProfile']>>((profile) => profile)
    const context = aContext({ hooks: { beforeEvent, beforeProfile }, eventPrefix: 'Tea' })
    await orderSends(order, [placed], context)
    const asked = ['Tea Placed Order', 'Tea Ordered Product', 'Tea Ordered Product']
    expect(beforeEvent.mock.calls.map(([event]) => event.name)).toEqual(asked)
    expect(beforeProfile.mock.calls.map(([, about]) => about.event)).toEqual(asked)
  })
})
