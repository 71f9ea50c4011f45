import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, rmSync } from 'node:fs'
import { Pool } from 'pg'
import { expect, inject, it, onTestFinished, vi } from 'vitest'
import { demoShippingPassword } from '../../dev/environment.ts'
import { serveKlaviyoStandIn } from '../../dev/klaviyo/serve-stand-in.ts'
import { demoApiKey } from '../../dev/klaviyo/stand-in.ts'
import { setUpDatabase } from '../../dev/prepare.ts'
import { accounts } from '../../dev/seed/accounts.ts'
import { randomFrom } from '../../dev/seed/random.ts'
import { createShipStation } from '../../src/mounts/cli/shipstation/stand-in.js'
import { outcomeOf } from '../browser/filled-store.js'
import { shopOrigin, TestBrowser } from '../support/browser.js'
import { newDatabaseFolder, newServerFolder } from '../support/database-folder.js'
import { startPostgresServer } from '../support/databases.js'
import { freePort } from '../support/free-port.js'
import { anOrder } from '../support/orders.js'
import { poolerCommand, startPooler } from '../support/pooler.js'
import { hasPostgres } from '../support/store.js'
import { openFunctionHost } from './function-host.js'
import { copyBuild } from './second-build.js'

const cronSecret = 'k3 cron secret'
const seed = Number(process.env.SEED ?? 1)

type Call = () => Promise<unknown>

/** What becomes of one call of the run URL that a host has scheduled. */
const schedules: Record<string, (call: Call, count: number) => Promise<unknown>> = {
  // It does not come as long as this lasts: the call of the day is the one at the end.
  daily: () => Promise.resolve(),
  doubled: (call) => call().then(call),
  overlapping: (call) => Promise.all([call(), call(), call()]),
  missed: (call, count) => (count % 3 === 0 ? call() : Promise.resolve()),
}

// Of each schedule.
const posts = Math.ceil(Number(process.env.FUNCTION_POSTS ?? 32) / 4)
const orders = Math.max(3, Math.ceil(posts / 20))
const pulls = Math.ceil(posts / 100)
const people = Math.min(10, posts)
const previewed = Math.ceil(posts / 50)
const postsBetweenCalls = 10

/** Starting an instance takes seconds, and longer on a busy machine. */
const timeout = 900_000 + 4 * posts * 1_000

it.runIf(hasPostgres)(
  `On a host that stops each instance after its answer, and ends some there, all arrives once: ${4 * posts} posts, ${4 * orders} orders, two builds, four schedules`,
  { timeout },
  async ({ task }) => {
    const { host, preview, klaviyo, klaviyoOfPreview, connections } = await openHosts()

    const admin = accounts.find(({ role }) => role === 'admin')
    const api = async <Answer>(path: string, body?: unknown, token = ''): Promise<Answer> => {
      const request = new Request(`${shopOrigin}/api/${path}`, {
        headers: { 'content-type': 'application/json', authorization: `JWT ${token}` },
        ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
      })
      const response = await host.handle(request)
      if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
      return (await response.json()) as Answer
    }
    const { token } = await api<{ token: string }>('users/login', admin)
    await api('globals/marketing-settings', { postsPerAddress: 0 }, token)
    const { docs: products } = await api<{ docs: { id: number }[] }>(
      'products?limit=1',
      undefined,
      token,
    )

    const postedAt: number[] = []
    const visitor = async (door: typeof host) => {
      const browser = new TestBrowser(door)
      return { browser, token: await browser.token() }
    }
    const track = async (
      { browser, token }: Awaited<ReturnType<typeof visitor>>,
      fields: Record<string, string>,
    ) => {
      const path = '/actions/marketingconnect/api/track'
      const answer = await browser.post(path, fields, { ajax: true, token })
      expect([answer.status, await answer.text()]).toEqual([200, '"success"'])
    }
    const visit = async (person: number, part: number, call: Call): Promise<void> => {
      const browser = await visitor(host)
      for (let number = person; number < posts; number += people) {
        const id = part * posts + number
        postedAt[id] = Date.now()
        await track(browser, {
          email: `p${person}@example.com`,
          'event[name]': 'Visited',
          'event[unique_id]': `visit ${id}`,
          'event[number]': String(id),
        })
        if (number % postsBetweenCalls === 0) await call()
      }
    }
    const visitPreview = async (part: number): Promise<void> => {
      const browser = await visitor(preview)
      for (let number = 0; number < previewed; number++) {
        const id = `${part * previewed + number}`
        await track(browser, {
          email: 'previewer@example.com',
          'event[name]': 'Previewed',
          'event[unique_id]': `preview ${id}`,
        })
        await run(preview)
      }
    }

    const shipStation = createShipStation({
      url: `${shopOrigin}/actions/shippingconnect/orders/process`,
      username: 'shipstation',
      password: demoShippingPassword,
      fetch: host.handle,
      deadlineSeconds: 600,
    })
    const references: string[] = []
    const ids: number[] = []
    const sell = async (): Promise<void> => {
      for (let count = 0; count < orders; count++) {
        const order = anOrder({ items: [{ product: products[0]?.id, quantity: 1 }] })
        const { doc } = await api<{ doc: { id: number; reference: string } }>(
          'orders',
          order,
          token,
        )
        references.push(doc.reference)
        ids.push(doc.id)
        const shipment = {
          orderNumber: doc.reference,
          carrier: 'UPS',
          service: 'Ground',
          trackingNumber: `1Z ${doc.reference}`,
        }
        // Each notice comes twice at once.
        await Promise.all([shipStation.ship(shipment), shipStation.ship(shipment)])
      }
    }
    let pages = 0
    const pull = async (): Promise<void> => {
      for (let count = 0; count < pulls; count++) {
        const before = [...references]
        const { orders, documents } = await shipStation.pull({
          from: new Date('2020-01-01'),
          to: new Date(Date.now() + 3_600_000),
        })
        pages += documents.length
        const pulled = orders.map(({ orderNumber }) => orderNumber)
        expect(pulled).toHaveLength(new Set(pulled).size)
        expect(pulled).toEqual(expect.arrayContaining(before))
      }
    }

    const run = async (door = host): Promise<void> => {
      const response = await door.handle(
        new Request(`${shopOrigin}/actions/storeconnect/run`, {
          headers: { authorization: `Bearer ${cronSecret}` },
        }),
      )
      expect(response.status).toBe(200)
    }
    for (const [part, play] of Object.values(schedules).entries()) {
      let calls = 0
      const call = () => play(run, calls++)
      await Promise.all([
        ...Array.from({ length: people }, (_, person) => visit(person, part, call)),
        sell(),
        pull(),
        visitPreview(part),
      ])
    }

    // The call of the day, twice at once. What an instance took along that was killed waits for twenty seconds, or
    // some minutes the second time.
    await Promise.all([run(), run()])
    const { state } = klaviyo.standIn
    const countOf = (name: string) => state.events.filter(({ metric }) => metric === name).length
    const ofOrders = (name: string) =>
      ids.map(
        (id) =>
          state.events.filter(
            ({ metric, properties }) => metric === name && properties.OrderID === id,
          ).length,
      )
    const once = ids.map(() => 1)
    const visited = () => state.events.filter(({ metric }) => metric === 'Visited')
    await expect
      .poll(
        async () => {
          await run()
          return {
            visited: visited().length,
            previewed: countOf('Previewed'),
            placed: ofOrders('Placed Order'),
            shipped: ofOrders('Shipped Order'),
          }
        },
        { timeout: 600_000, interval: 1_000 },
      )
      .toEqual({ visited: 4 * posts, previewed: 4 * previewed, placed: once, shipped: once })
    await vi.waitFor(() => expect(host.isQuiet()).toBe(true), 60_000)

    const numberOf = ({ properties }: { properties: Record<string, unknown> }) =>
      Number(properties.number)
    const numbers = visited().map(numberOf)
    const inOrder = (some: number[]) => some.toSorted((one, other) => one - other)
    expect(inOrder(numbers)).toEqual(Array.from({ length: 4 * posts }, (_, number) => number))
    for (let person = 0; person < people; person++) {
      const own = numbers.filter((number) => (number % posts) % people === person)
      expect(own).toEqual(inOrder(own))
    }

    const { docs } = await api<{ docs: { status: string; tracking: unknown[] }[] }>(
      `orders?where[id][in]=${ids.join()}&limit=0&depth=0`,
      undefined,
      token,
    )
    expect(docs).toHaveLength(references.length)
    expect(new Set(docs.map(({ status, tracking }) => `${status} ${tracking.length}`))).toEqual(
      new Set(['shipped 1']),
    )
    expect(klaviyoOfPreview.standIn.state.calls).toEqual([])
    expect(Math.max(...connections.values())).toBeLessThanOrEqual(2)
    expect(Math.min(host.counts.killedAtWork, host.counts.killedStopped)).toBeGreaterThan(0)

    const delays = (ofDaily: boolean) =>
      inOrder(
        visited()
          .filter((event) => !ofDaily || numberOf(event) < posts)
          .map((event) => event.receivedAt - (postedAt[numberOf(event)] ?? 0)),
      )
    const [daily, all] = [delays(true), delays(false)]
    const at = (some: number[], share: number) => some[Math.floor(some.length * share)] ?? 0
    task.meta.figures = {
      posts: visited().length,
      orders: references.length,
      'notices, each twice': references.length,
      pulls: 4 * pulls,
      'pages of them': pages,
      'posts to the preview': 4 * previewed,
      'calls to Klaviyo from the preview': klaviyoOfPreview.standIn.state.calls.length,
      'calls to Klaviyo': state.calls.length,
      'events that came again': state.events.filter(({ arrivals }) => arrivals > 1).length,
      'ms from a post to Klaviyo, daily schedule alone: p50': at(daily, 0.5),
      'the same: p95': at(daily, 0.95),
      'ms from a post to Klaviyo, all schedules: p50': at(all, 0.5),
      'the same of all: p95': at(all, 0.95),
      'most connections of an instance': Math.max(...connections.values()),
      answers: host.counts.answers,
      instances: host.counts.started,
      stops: host.counts.stops,
      'killed after an answer, at work': host.counts.killedAtWork,
      'killed while stopped': host.counts.killedStopped,
      'killed at the limit of the host': host.counts.atLimit,
    }
  },
)

/** Production and a preview of it on one database, behind PgBouncer where that is installed. */
async function openHosts() {
  const filled = inject('filledStore')
  await vi.waitFor(() => expect(outcomeOf(filled)).toBeDefined(), { timeout: 840_000 })
  expect(outcomeOf(filled)).toBe('filled')

  const server = await startPostgresServer({
    flags: ['max_connections=20'],
    folder: newServerFolder(),
  })
  await server.createDatabase('store')
  const pooler = existsSync(poolerCommand) ? await startPooler(server.serverUrl) : undefined
  const dataDirectory = newDatabaseFolder()
  await setUpDatabase({
    dataDirectory,
    databaseUrl: `${server.serverUrl}/store`,
    origin: shopOrigin,
  })
  const second = copyBuild(randomUUID())
  const klaviyo = await serveKlaviyoStandIn({ port: 0 })
  const klaviyoOfPreview = await serveKlaviyoStandIn({ port: 0 })

  const open = (stage: string, klaviyoUrl: string, atMost: number) =>
    openFunctionHost({
      builds: ['.next', second.directory],
      environment: (name) => ({
        CRON_SECRET: cronSecret,
        DATABASE_CONNECTIONS: '2',
        DATABASE_URL: `${(pooler ?? server).serverUrl}/store?application_name=${stage}-${name}`,
        KLAVIYO_API_KEY: demoApiKey,
        KLAVIYO_URL: klaviyoUrl,
        NEXT_TELEMETRY_DISABLED: '1',
        PAYLOAD_SECRET: 'a secret of this store, long enough',
        SHIPSTATION_PASSWORD: demoShippingPassword,
        STORE_DATA_DIR: dataDirectory,
        STORE_ORIGIN: shopOrigin,
        VERCEL: '1',
        VERCEL_ENV: stage,
      }),
      freePort,
      atMost,
      endEvery: Math.max(50, Math.ceil(posts / 10)),
      random: randomFrom(seed),
    })
  const production = open('production', klaviyo.origin, Math.min(14, Math.ceil(posts / 3)))
  const preview = open('preview', klaviyoOfPreview.origin, 1)
  const connections = countConnections(
    pooler ? `${pooler.serverUrl}/pgbouncer` : `${server.serverUrl}/postgres`,
    pooler ? 'show clients' : 'select application_name from pg_stat_activity',
  )
  onTestFinished(async () => {
    await production.close()
    await preview.close()
    await connections.close()
    await pooler?.stop()
    await server.stop()
    await klaviyo.close()
    await klaviyoOfPreview.close()
    second.remove()
    rmSync(dataDirectory, { recursive: true })
  })
  /** Counts the connections after each answer. */
  const counted = (host: typeof production) => ({
    ...host,
    async handle(this: void, request: Request): Promise<Response> {
      const response = await host.handle(request)
      await connections.count()
      return response
    },
  })
  return {
    host: counted(production),
    preview: counted(preview),
    klaviyo,
    klaviyoOfPreview,
    connections: connections.most,
  }
}

/** The most that each instance has had. */
function countConnections(connectionString: string, statement: string) {
  const pool = new Pool({ connectionString, max: 1 })
  // A pool is over before its connections are.
  const ends: Promise<unknown>[] = []
  pool.on('connect', (client) => ends.push(once(client, 'end')))
  const most = new Map<string, number>()
  return {
    most,
    async count(): Promise<void> {
      const { rows } = await pool.query<{ application_name: string }>(statement)
      const names = rows.map(({ application_name }) => application_name)
      for (const name of names.filter((each) => each.includes('function-'))) {
        most.set(name, Math.max(most.get(name) ?? 0, names.filter((each) => each === name).length))
      }
    },
    async close() {
      await pool.end()
      await Promise.all(ends)
    },
  }
}
