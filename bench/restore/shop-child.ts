import { randomUUID } from 'node:crypto'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { sql } from 'drizzle-orm'
import { getPayload, type BasePayload } from 'payload'
import { realEffects } from '../../src/core/effects.js'
import type { Action } from '../../src/core/http/visit.js'
import { createFrontDoor } from '../../src/core/http/front-door.js'
import type { ActionRequest } from '../../src/core/http/request-body.js'
import { addNotice } from '../../src/core/http/session.js'
import { found } from '../../src/core/http/reply.js'
import { wholePartsOf } from '../../test/support/parts.js'
import { actionsListener } from '../../src/mounts/node/index.js'
import { column, sqlDatabase } from '../../src/core/database/database.js'
import { createProduct } from '../../test/support/products.js'
import { storeConfig } from '../../test/support/store-config.js'
import { answerQuestions } from '../marketing/child.js'
import { noOpAction, oneSelectAction, restoreUrl, type Shop, type ShopSetup } from './shop.js'

// Run by shop.ts: a store on node:http. Answers with its ports and its carts.
const setup = JSON.parse(process.argv[2] ?? '{}') as ShopSetup

const config = await storeConfig({ kind: setup.kind, url: setup.url })
const payload = await getPayload({ config, key: randomUUID() })
const parts = await wholePartsOf(payload)

/** The least that an action with a session and a redirect can do behind the same front door. */
const noOp: Action = async (visit) => {
  const session = await visit.session()
  addNotice(session, 'Nothing has been done.')
  return found('https://shop.example/cart')
}
const numbers: string[] = []
let asked = 0
/** The same with the one `select` that nobody can do without: the cart of a number, and whether it has lines. */
const database = sqlDatabase(payload)
const [carts, lines] = [database.table('carts'), database.table('carts', 'items')]
const oneSelect: Action = async (visit) => {
  const number = numbers[asked++ % numbers.length]
  const id = column(carts, 'id')
  await database.rows(sql`select ${id}, ${column(carts, 'customer')}, ${column(carts, 'purchasedAt')},
    exists (select 1 from ${lines} where ${column(lines, '_parentID')} = ${id}) as "hasLines"
    from ${carts} where ${column(carts, 'number')} = ${number} limit 1`)
  return noOp(visit)
}
const noOps = { [noOpAction]: noOp, [oneSelectAction]: oneSelect }
const noOpDoor = createFrontDoor({
  effects: realEffects,
  problemPage: () => Promise.resolve(undefined),
  trustProxy: undefined,
  actions: noOps,
  log: payload.logger,
  sessions: parts.sessions,
  visitorOf: (request) => parts.visitorOf(request),
})
const { handle } = parts
Object.assign(parts, {
  handle: (request: ActionRequest) =>
    request.url.includes('/actions/bench/') ? noOpDoor(request) : handle(request),
})

const page = Buffer.from('<!doctype html><title>Green tea</title><h1>Green tea</h1>')
const ownPages: RequestListener = (_, response) => {
  response.setHeader('content-type', 'text/html; charset=UTF-8')
  response.setHeader('content-length', page.byteLength)
  response.end(page)
}
const answer = actionsListener(payload)
const port = await listen((request, response) => {
  void answer(request, response).then((isOurs) => {
    if (!isOurs) ownPages(request, response)
  })
})
const plainPort = await listen(ownPages)

const product = await createProduct(payload)
const site = await payload.create({
  collection: 'sites',
  data: { handle: 'main', name: 'Main', baseUrl: `http://127.0.0.1:${port}`, cartUrl: '/cart' },
})
for (let made = 0; made < setup.carts; made += 1) numbers.push(await leaveCart())
parts.sites.forget()
const first = await queriesOf(payload, numbers[0] ?? '')
const usual = await queriesOf(payload, numbers[1] ?? '')

const shop = { port, plainPort, numbers, queries: { first, usual } }
answerQuestions<'shop?', Omit<Shop, 'stop'>>(() => Promise.resolve(shop))

async function listen(listener: RequestListener): Promise<number> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}

async function leaveCart(): Promise<string> {
  const data = { items: [{ product, quantity: 2 }], currency: 'USD', site: site.id }
  const { number } = await payload.create({ collection: 'carts', data, depth: 0 })
  return String(number)
}

/** What the driver is asked, below everything that is ours or Payload's. */
async function queriesOf({ db }: BasePayload, number: string): Promise<number> {
  type Ask = (...given: unknown[]) => unknown
  const { client, pool } = db as unknown as { client?: Record<string, Ask>; pool?: typeof client }
  const [driver, name] = pool ? [pool, 'query'] : [client, 'execute']
  const ask = driver?.[name]
  if (driver === undefined || ask === undefined) throw new Error('The driver is not known.')
  let queries = 0
  driver[name] = (...given) => {
    queries += 1
    return ask.apply(driver, given)
  }
  const url = `http://127.0.0.1:${port}${restoreUrl}${number}`
  const response = await handle(new Request(url))
  driver[name] = ask
  if (queries === 0) throw new Error('The driver was asked in another way than is counted here.')
  if (response.status !== 302) throw new Error(`No cart came back: ${response.status}`)
  return queries
}
