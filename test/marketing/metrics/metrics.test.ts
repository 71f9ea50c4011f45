import { beforeEach, describe, expect, it } from 'vitest'
import { calls, type Scope } from '../../../dev/klaviyo/calls.ts'
import { exampleProfile } from '../../../src/marketing/metrics/example-profile.js'
import type {
  MappingReport,
  TestEventReport,
} from '../../../src/marketing/metrics/metric-endpoints.js'
import {
  exampleEventsPath,
  mappedMetricsPath,
  testEventPath,
} from '../../../src/marketing/admin-paths.js'
import { eventShop } from '../feeds/event-shop.js'
import { apiOf, type Api } from '../../support/api-of.js'
import { anyKind } from '../../support/store.js'

describe("Klaviyo's metrics", () => {
  let api: Api
  const settings = { publicApiKey: 'SITEID', eventPrefix: 'Shop' }
  const shop = eventShop(anyKind, {
    config: { serverURL: 'https://shop.example' },
    options: { marketing: { settings } },
  })
  beforeEach(async () => {
    api = apiOf(shop)
    await shop.payload.kv.delete('storeconnect:mapped-metrics')
  })

  const sendExamples = async () => {
    const answer = await api(exampleEventsPath, { as: 'admin', body: {} })
    return ((await answer.json()) as { count: number }).count
  }
  const mappings = async (change = false) => {
    const answer = await api(mappedMetricsPath, { as: 'admin', ...(change && { body: {} }) })
    return (await answer.json()) as MappingReport
  }
  const states = ({ slots }: MappingReport) => slots.map(({ slot, is, ours }) => [slot, is, ours])
  const ours = [
    ['revenue', 'Shop Placed Order'],
    ['ordered_product', 'Shop Ordered Product'],
    ['started_checkout', 'Shop Started Checkout'],
    ['added_to_cart', 'Shop Added to Cart'],
    ['viewed_product', 'Shop Viewed Product'],
    ['refunded_sales', 'Shop Refunded Order'],
    ['cancelled_sales', 'Shop Cancelled Order'],
  ]
  const allAre = (is: string) => ours.map(([slot, metric]) => [slot, is, metric])
  const allowing = (...scopes: Scope[]) => {
    shop.network = async (request, ask) => {
      const { pathname } = new URL(request.url)
      const call = Object.values(calls).find(
        ({ method, path }) => method === request.method && path.test(pathname),
      )
      const missing = call?.scopes.filter((scope) => !scopes.includes(scope)) ?? []
      if (missing.length === 0) return ask(request)
      const errors = [{ id: '1', code: 'permission_denied', title: '', detail: 'No.' }]
      return Response.json({ errors }, { status: 403 })
    }
  }

  it('each have an example that is worth nothing, starts no flow and is recorded once', async () => {
    const count = await sendExamples()
    expect(await sendExamples()).toBe(count)
    await shop.deliver()
    // Sends that were delivered are deleted in time; Klaviyo still knows the ids.
    await shop.payload.db.deleteMany({ collection: 'marketing-sends', where: {} })
    await sendExamples()
    await shop.deliver()
    const { events } = shop.standIn.state
    const names = ours.map(([, name]) => name)
    expect(events.map(({ metric }) => metric)).toEqual(expect.arrayContaining(names))
    expect(events).toHaveLength(count)
    expect(new Set(events.map(({ value }) => value))).toEqual(new Set([0]))
    const profile = shop.standIn.state.profileByEmail(exampleProfile.email)
    expect(profile?.attributes).toMatchObject({ first_name: 'Storeconnect', last_name: 'Test' })
    expect(new Set(events.map((event) => event.profile))).toEqual(new Set([profile?.id]))
    const sends = await shop.sends()
    expect(sends.every(({ message }) => message.kind === 'event' && message.event.backfill)).toBe(
      true,
    )
  })

  it('are tried with an event that can be watched arriving', async () => {
    const answer = await api(testEventPath, { as: 'admin', body: {} })
    const { id } = (await answer.json()) as { id: string }
    const progress = async () => {
      const told = await api(`${testEventPath}?id=${id}`, { as: 'admin' })
      return (await told.json()) as TestEventReport
    }
    expect(await progress()).toEqual({ state: 'queued' })
    shop.callMs = 700
    await shop.deliver()
    expect(await progress()).toEqual({ state: 'sent', tookMs: 700 })
    expect(shop.standIn.state.events).toMatchObject([
      { metric: 'Shop Storeconnect Test', value: 0 },
    ])
    shop.standIn.faults.add({ kind: 'poison', marker: 'Storeconnect', says: 'item' })
    const refused = (await (await api(testEventPath, { as: 'admin', body: {} })).json()) as {
      id: string
    }
    await shop.deliver()
    expect(await (await api(`${testEventPath}?id=${refused.id}`, { as: 'admin' })).json()).toEqual({
      state: 'failed',
      problem: 'The payload provided in the request is invalid.',
    })
    expect(await (await api(`${testEventPath}?id=none`, { as: 'admin' })).json()).toEqual({})
  })

  it('are compared with what is mapped, and mapped by one button, one change a second', async () => {
    expect(states(await mappings(true))).toEqual(allAre('empty'))
    expect(shop.standIn.state.calls.filter(({ name }) => name === 'map-metric')).toEqual([])
    await sendExamples()
    await shop.deliver()
    expect(states(await mappings())).toEqual(allAre('empty'))
    expect(await shop.parts.metrics.lastCheck()).toMatchObject({ openCount: 7 })
    expect(states(await mappings(true))).toEqual(allAre('ours'))
    expect(states(await mappings())).toEqual(allAre('ours'))
    expect(await shop.parts.metrics.lastCheck()).toMatchObject({ openCount: 0 })
    expect(shop.standIn.state.throttled).toBe(0)

    await shop.save({ ...settings, eventPrefix: '' })
    const other = ours.map(([slot, metric]) => [slot, 'other', metric?.replace('Shop ', '')])
    expect(states(await mappings())).toEqual(other)
    expect((await mappings()).slots[0]).toMatchObject({ named: 'Shop Placed Order' })
  })

  it('say which scope the key lacks, and that there is no key', async () => {
    await sendExamples()
    await shop.deliver()
    allowing()
    expect((await mappings()).problem).toContain('metrics:read')
    allowing('metrics:read')
    expect((await mappings(true)).problem).toContain('metrics:write')
    await shop.save({ ...settings, privateApiKey: '' })
    expect((await mappings()).problem).toContain('no API key')
  })

  it('stop being mapped when the calls of the day are used up, and say so', async () => {
    await sendExamples()
    await shop.deliver()
    for (const eventPrefix of ['Shop', '', 'Shop', '']) {
      await shop.save({ ...settings, eventPrefix })
      await sendExamples()
      await shop.deliver()
      expect(states(await mappings(true)).every(([, is]) => is === 'ours')).toBe(true)
      shop.move(60_000)
    }
    await shop.save(settings)
    const report = await mappings(true)
    expect(states(report).filter(([, is]) => is === 'ours')).toHaveLength(2)
    expect(report.problem).toContain('throttled')
  })

  it.each(['editor', 'customer', undefined] as const)('are closed to %s', async (as) => {
    for (const [path, body] of [
      [exampleEventsPath, {}],
      [mappedMetricsPath, {}],
      [mappedMetricsPath],
      [testEventPath, {}],
      [testEventPath],
    ] as const) {
      expect((await api(path, { as, body })).status).toBe(403)
    }
    expect(await shop.sends()).toEqual([])
  })
})
