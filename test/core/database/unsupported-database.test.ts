import { randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import {
  createDatabaseAdapter,
  getPayload,
  handleEndpoints,
  type BasePayload,
  type Config,
  type SanitizedConfig,
} from 'payload'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { handlerOf } from '../../../src/index.js'
import { installedIn } from '../../../src/core/installation.js'
import { stopDelivery } from '../../../src/mounts/node/index.js'
import { sqlDatabase } from '../../../src/core/database/database.js'
import { bareConfig } from '../../support/bare-config.js'
import { captureLog, type CapturedLog } from '../../support/captured-log.js'
import { closeInstance } from '../../support/close-instance.js'
import { anOrder, saveOrder } from '../../support/orders.js'
import { storeDatabase } from '../../support/own-database.js'
import { exportRequest, noticeRequest } from '../../support/shipping-requests.js'
import { openStore } from '../../support/store.js'
import { storeConfig, type StoreSetup } from '../../support/store-config.js'

type Adapter = Config['db']

/** An adapter, with something else about it once it is made. */
const withChange = (adapter: Adapter, change: Record<string, unknown>): Adapter => ({
  ...adapter,
  init: (args) => Object.assign(adapter.init(args), change),
})

const cleanUps: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp()
})

interface Shop {
  payload: BasePayload
  config: SanitizedConfig
  log: CapturedLog
  api: (request: Request) => Promise<Response>
}

async function openOn(
  db: (url: string) => Adapter,
  setup: Pick<StoreSetup, 'options' | 'orders'> & { url?: string } = {},
): Promise<Shop> {
  const own = setup.url === undefined ? await storeDatabase('sqlite') : undefined
  if (own) cleanUps.push(() => own.remove())
  const url = setup.url ?? own?.url ?? ''
  const log = captureLog()
  const config = await storeConfig({
    ...setup,
    kind: 'sqlite',
    url,
    config: { ...log.config, db: db(url) },
  })
  const key = randomUUID()
  const payload = await getPayload({ config, key })
  cleanUps.push(() => closeInstance(payload))
  return {
    payload,
    config,
    log,
    api: (request) => handleEndpoints({ config, payloadInstanceCacheKey: key, request }),
  }
}

const sqlite = (url: string): Adapter => bareConfig({ kind: 'sqlite', url }).db

/** Keeps documents in memory, and knows nothing of SQL. */
function documentDatabase(): Adapter {
  const documents = new Map<string, Record<string, unknown>>()
  const nothing = () => Promise.resolve(null)
  const none = { docs: [], totalDocs: 0, hasNextPage: false, hasPrevPage: false, limit: 0 }
  const save = ({ data, id }: { data: Record<string, unknown>; id?: string }) => {
    const document = { ...documents.get(id ?? ''), ...data, id: id ?? randomUUID() }
    documents.set(document.id, document)
    return Promise.resolve(document)
  }
  const adapter = createDatabaseAdapter({
    name: 'mongoose',
    packageName: '@payloadcms/db-mongodb',
    defaultIDType: 'text',
    init: nothing,
    connect: nothing,
    destroy: nothing,
    deleteMany: nothing,
    create: save,
    createVersion: ({ versionData }: { versionData: Record<string, unknown> }) =>
      Promise.resolve({ version: versionData }),
    updateOne: ({
      data,
      where,
      id,
    }: {
      data: Record<string, unknown>
      id?: string
      where?: { id?: { equals?: string } }
    }) => save({ data, id: id ?? where?.id?.equals ?? '' }),
    findOne: ({ where }: { where?: { id?: { equals?: string } } }) =>
      Promise.resolve(documents.get(where?.id?.equals ?? '') ?? [...documents.values()].at(-1)),
    find: () => Promise.resolve(none),
    count: () => Promise.resolve({ totalDocs: 0 }),
    findGlobal: () => Promise.resolve({}),
  } as never)
  return { name: 'mongoose', defaultIDType: 'text', init: () => adapter } as unknown as Adapter
}

interface Refused {
  where: string
  db: (url: string) => Adapter
  /** The global of the host. */
  navigator?: { userAgent: string }
  code?: string
  /** What the shop is told: what it has, and what it needs. */
  named: string
  needed?: string
}

const refused: Refused[] = [
  {
    where: 'On a database by @payloadcms/db-d1-sqlite',
    db: (url) => withChange(sqlite(url), { packageName: '@payloadcms/db-d1-sqlite' }),
    named: '@payloadcms/db-d1-sqlite',
  },
  {
    where: 'On a database by @payloadcms/db-mongodb',
    db: documentDatabase,
    named: '@payloadcms/db-mongodb',
  },
  {
    where: 'On a database by @example/db-own',
    db: (url) => withChange(sqlite(url), { packageName: '@example/db-own' }),
    named: '@example/db-own',
  },
  {
    where: 'On Cloudflare Workers',
    db: sqlite,
    navigator: { userAgent: 'Cloudflare-Workers' },
    code: 'HOST_NOT_SUPPORTED',
    named: 'Cloudflare Workers',
    needed: 'Node.js',
  },
]

describe.each(refused)('$where, where Storeconnect does not work,', (each) => {
  const { db, named, navigator, code = 'DATABASE_NOT_SUPPORTED' } = each
  const { needed = '@payloadcms/db-postgres' } = each
  beforeEach(() => {
    if (navigator) vi.stubGlobal('navigator', navigator)
  })
  afterEach(() => vi.unstubAllGlobals())

  it('the shop starts, and one line of the log says why Storeconnect does not work', async () => {
    const { log } = await openOn(db)
    const errors = log.lines().filter(({ level }) => level >= 50)
    expect(errors.map(({ msg }) => msg)).toEqual([expect.stringContaining(named) as string])
    expect(errors[0]?.msg).toContain(needed)
  })

  it('every action answers 503 with the reason, at both mounts, as a page and as JSON', async () => {
    const { payload, api } = await openOn(db)
    const page = await handlerOf(payload)(exportRequest())
    expect(page.status).toBe(503)
    expect(page.headers.get('x-error-code')).toBe(code)
    expect(await page.text()).toContain(named)

    const headers = { accept: 'application/json' }
    const json = await handlerOf(payload)(noticeRequest({ order_number: 'A' }, { headers }))
    expect(json.status).toBe(503)
    expect(await json.json()).toEqual({
      errors: [{ message: expect.stringContaining(named) as string }],
    })
    const below = await api(new Request('https://shop.example/api/actions/users/session-info'))
    expect(below.status).toBe(503)
  })

  it('orders and carts are saved as if Storeconnect were not there', async () => {
    const { payload, api } = await openOn(db)
    const cart = await api(
      new Request('https://shop.example/api/carts', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ items: [], currency: 'USD' }),
      }),
    )
    expect(cart.status).toBe(201)
    const { id } = await saveOrder(payload, anOrder())
    const shipped = await payload.update({
      collection: 'orders',
      id,
      data: { status: 'shipped' },
    })
    expect(shipped).toMatchObject({ status: 'shipped' })
  })

  it('there is nothing to deliver, and nothing to stop', async () => {
    const { payload } = await openOn(db)
    expect(await installedIn(payload)).toBeUndefined()
    await expect(stopDelivery(payload)).resolves.toBeUndefined()
  })
})

describe('On an adapter that keeps blocks as JSON', () => {
  const openWith = async (settings: Record<string, string>) => {
    const made = await openStore('sqlite')
    // What a migration to `blocksAsJSON` adds for the blocks field of the test store's orders.
    await sqlDatabase(made.payload).run(sql`alter table orders add column parcels text`)
    await closeInstance(made.payload)
    cleanUps.push(() => made.close())
    return openOn((url) => withChange(sqlite(url), { blocksAsJSON: true }), {
      url: made.url,
      options: { shipping: { settings } },
      orders: { fields: [], versions: false },
    })
  }

  it('a blocks field as the Matrix field is refused in the log at start-up, and the order moves on', async () => {
    const { log, payload } = await openWith({ matrixField: 'parcels', entryType: 'shipment' })
    const errors = log.lines().filter(({ level }) => level >= 50)
    expect(errors.map(({ msg }) => msg)).toEqual([
      expect.stringMatching(/"parcels".*blocksAsJSON.*array field/) as string,
    ])

    const { id, reference } = await saveOrder(payload)
    const notice = { order_number: reference, carrier: 'UPS', tracking_number: '1Z' }
    expect((await handlerOf(payload)(noticeRequest(notice))).status).toBe(200)
    const order = await payload.findByID({ collection: 'orders', id })
    expect(order).toMatchObject({ status: 'shipped', tracking: [] })
  })

  it('a shipment is recorded in an array field as ever', async () => {
    const { payload, log } = await openWith({})
    const { id, reference } = await saveOrder(payload)
    const answer = await handlerOf(payload)(
      noticeRequest({ order_number: reference, carrier: 'UPS', tracking_number: '1Z' }),
    )
    expect(answer.status).toBe(200)
    expect(await payload.findByID({ collection: 'orders', id })).toMatchObject({
      status: 'shipped',
      tracking: [{ carrier: 'UPS', trackingNumber: '1Z' }],
    })
    expect(log.lines().filter(({ level }) => level >= 50)).toEqual([])
  })
})
