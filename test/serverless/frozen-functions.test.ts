import { sql } from 'drizzle-orm'
import { expect, it, onTestFinished } from 'vitest'
import { serveKlaviyoStandIn } from '../../dev/klaviyo/serve-stand-in.ts'
import { demoApiKey } from '../../dev/klaviyo/stand-in.ts'
import { sqlDatabase } from '../../src/database/database.js'
import { TestBrowser } from '../support/browser.js'
import { readExport } from '../support/exported-orders.js'
import { exportRequest, noticeRequest } from '../support/shipping-requests.js'
import { databaseKinds, openStore } from '../support/store.js'
import { openFunctionHost } from './function-host.js'

const secret = 'k3 cron secret'
const visits = Number(process.env.FUNCTION_POSTS ?? 36)
const orderCount = Math.ceil(visits / 4)
const people = 12

/** Starting a process takes seconds, and longer on a busy machine. */
const timeout = 600_000 + visits * 1_000

it.each(databaseKinds)(
  `On a host that stops each process after its response, and kills some there, all arrives once: ${visits} posts, ${orderCount} orders, on %s`,
  { timeout },
  async (kind) => {
    const klaviyo = await serveKlaviyoStandIn({ port: 0 })
    const store = await openStore(kind)
    const host = openFunctionHost({
      kind,
      url: store.url,
      apiUrl: klaviyo.origin,
      apiKey: demoApiKey,
      env: { VERCEL: '1', CRON_SECRET: secret },
      atMost: 4,
      killEvery: Math.max(20, Math.ceil(visits / 5)),
    })
    onTestFinished(async () => {
      await host.close()
      await store.close()
      await klaviyo.close()
    })

    const visit = async (person: number): Promise<void> => {
      const browser = new TestBrowser(host)
      for (let number = person; number < visits; number += people) {
        const answer = await browser.track({
          email: `p${person}@example.com`,
          'event[name]': 'Visited',
          'event[unique_id]': `visit ${number}`,
          'event[number]': String(number),
        })
        expect([answer.status, await answer.json()]).toEqual([200, 'success'])
      }
    }
    const sell = async (): Promise<string[]> => {
      const references: string[] = []
      while (references.length < orderCount) {
        const request = new Request('https://shop.example/orders', { method: 'POST' })
        references.push((await (await host.handle(request)).json()) as string)
      }
      return references
    }
    const [references] = await Promise.all([
      sell(),
      ...Array.from({ length: people }, (_, person) => visit(person)),
    ])

    const ship = async (order_number: string): Promise<void> => {
      const notice = () => noticeRequest({ order_number, tracking_number: `1Z ${order_number}` })
      expect((await host.handle(notice())).status).toBe(200)
    }
    const pull = async (): Promise<string[]> => {
      const seen: string[] = []
      for (let page = 1, pages = 1; page <= pages; page++) {
        const read = await readExport(await host.handle(exportRequest({ page: String(page) })))
        if (page === 1) pages = Number(read.pages)
        seen.push(...read.references)
      }
      return seen
    }
    const [pulled] = await Promise.all([
      pull(),
      // Each notice comes twice.
      ...[...references, ...references].map(ship),
    ])
    expect(pulled.toSorted()).toEqual(references.toSorted())

    // The daily call, twice at once, as a schedule may.
    const run = () =>
      host.handle(
        new Request('https://shop.example/actions/storeconnect/run', {
          headers: { authorization: `Bearer ${secret}` },
        }),
      )
    await Promise.all([run(), run()])
    // What a process took along that was killed waits for twenty seconds, or some minutes the second time.
    const { events } = klaviyo.standIn.state
    const countOf = (name: string) => events.filter(({ metric }) => metric === name).length
    const all = { visited: visits, placed: orderCount, shipped: orderCount }
    await expect
      .poll(
        async () => {
          await run()
          return {
            visited: countOf('Visited'),
            placed: countOf('Placed Order'),
            shipped: countOf('Shipped Order'),
          }
        },
        { timeout, interval: 1_000 },
      )
      .toEqual(all)
    await host.isQuiet()
    const numbers = events
      .filter(({ metric }) => metric === 'Visited')
      .map(({ properties }) => Number(properties.number))
    expect(numbers.toSorted((one, other) => one - other)).toEqual(
      Array.from({ length: visits }, (_, number) => number),
    )
    for (let person = 0; person < people; person++) {
      const own = numbers.filter((number) => number % people === person)
      expect(own).toEqual(own.toSorted((one, other) => one - other))
    }
    if (kind === 'postgres') {
      const connections = await sqlDatabase(store.payload).rows(
        sql`select count(*)::integer as "count" from pg_stat_activity
          where application_name like 'function-%' and datname = current_database()
          group by application_name having count(*) > 2`,
      )
      expect(connections).toEqual([])
    }
    expect(host.counts.killed).toBeGreaterThan(0)
  },
)
