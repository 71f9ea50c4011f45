import { randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { expect } from 'vitest'
import { serveKlaviyoStandIn, type ServedStandIn } from '../../dev/klaviyo/serve-stand-in.ts'
import { demoApiKey } from '../../dev/klaviyo/stand-in.ts'
import { sqlDatabase } from '../../src/database/database.js'
import { partsOf } from '../../src/installation.js'
import type { StoreConnectOptions } from '../../src/options.js'
import { captureLog } from '../support/captured-log.js'
import { hurriedEffects } from '../support/hurried-effects.js'
import { anAddress, anOrder, saveOrder, type SavedOrder } from '../support/orders.js'
import { exportRequest, noticeRequest } from '../support/shipping-requests.js'
import type { DatabaseKind, StoreSetup } from '../support/store-config.js'
import { joinStore, openStore, type TestStore } from '../support/store.js'
import { formsOf, wholeDatabase } from '../support/whole-database.js'

type Data = Record<string, unknown>

/** A person whose every part occurs nowhere else. */
export const adalgisa = {
  email: 'Adalgisa.Quux+shop@example.com',
  firstName: 'Adalgisa',
  lastName: 'Quuxlöve',
  phone: '+442079461234',
  street: '12 Xyzzy Square',
  exchangeId: 'Adalgisa_Quux.Zq81xC',
}

export const grace = 'grace@example.com'

export interface ErasureShop extends TestStore {
  klaviyo: ServedStandIn['standIn']
  log: ReturnType<typeof captureLog>
  create(collection: string, data: Data): Promise<{ id: number | string }>
  /** An account with everything that the shop may hold of its person. */
  signUp(
    email?: string,
  ): Promise<{ id: number | string; order: SavedOrder; guestOrder: SavedOrder }>
  remove(accountId: number | string): Promise<Response>
  /** A post of an admin. */
  post(path: string, body: Data): Promise<Response>
  /** A save of an admin. */
  patch(path: string, body: Data): Promise<Response>
  /** What an admin reads. */
  get(path: string): Promise<Response>
  erasures(): Promise<Data[]>
  /** Makes the erasures and the objections before them older, and the jobs due. */
  passTime(): Promise<void>
  /** Makes everything older, so that what was stored late is looked for. The jobs are not due. */
  passTimeOfSweep(): Promise<void>
  deliver(): Promise<unknown>
  /** Another process on the same database. */
  join(): Promise<TestStore>
  /** Delivers until all erasures are done. */
  finish(): Promise<void>
  /** The tables, and the log, that hold something of the person, each with what was found. */
  search(texts: readonly string[]): Promise<string[]>
}

/**
 * By default in a store whose ids are numbers, which occur everywhere. Emails are verified, and a deleted
 * account is erased.
 */
export async function openErasureShop(
  kind: DatabaseKind,
  options: StoreConnectOptions = {},
  {
    open = openStore,
    ...also
  }: Pick<StoreSetup, 'userAccess' | 'userAuth'> & { open?: typeof openStore } = {},
): Promise<ErasureShop> {
  const effects = hurriedEffects()
  const now = () => effects.now().getTime()
  const served = await serveKlaviyoStandIn({ port: 0, limits: 'none', jobSeconds: 0, now })
  const log = captureLog()
  const setup = {
    effects,
    config: log.config,
    userAccess: { delete: () => true, read: () => true },
    userAuth: { verify: true },
    ...also,
    options: {
      ...options,
      marketing: {
        apiUrl: served.origin,
        mapUser: ({ id, email }) => ({
          email: email ?? '',
          externalId: String(id),
          ...(email === adalgisa.email.toLowerCase() && {
            firstName: adalgisa.firstName,
            lastName: adalgisa.lastName,
            phoneNumber: adalgisa.phone,
          }),
        }),
        ...options.marketing,
        settings: {
          privateApiKey: demoApiKey,
          accountDeletions: true,
          ...options.marketing?.settings,
        },
      },
    },
  } satisfies Parameters<typeof openStore>[1]
  const store = await open(kind, setup)
  const { payload } = store
  const database = sqlDatabase(payload)
  const parts = partsOf(payload)
  const create = async (collection: string, data: Data) =>
    (await payload.create({
      collection,
      data: { ...(collection === 'users' && { _verified: true }), ...data },
      disableVerificationEmail: true,
    })) as unknown as { id: number | string }
  const deliver = () => {
    // It rests between two looks.
    parts.erasureWorker.wake()
    return parts.delivery.runUntilIdle({ deadline: new Date(now() + 20_000) })
  }
  const erasures = async () =>
    (await payload.find({ collection: 'marketing-erasures', pagination: false }))
      .docs as unknown as Data[]

  const asAdmin = async (path: string, init: RequestInit = {}) => {
    const request = new Request(`https://shop.example/api${path}`, init)
    request.headers.set('authorization', `JWT ${await adminToken(store)}`)
    return store.api(request)
  }

  const shop: ErasureShop = {
    ...store,
    klaviyo: served.standIn,
    log,
    create,
    async signUp(email = adalgisa.email) {
      const { id } = await create('users', { email, password: 'correct horse battery' })
      const address = anAddress({
        firstName: adalgisa.firstName,
        lastName: adalgisa.lastName,
        addressLine1: adalgisa.street,
        phone: adalgisa.phone,
      })
      const note = `For ${adalgisa.firstName}`
      const proof = { given: true, wording: `Dear ${adalgisa.firstName}`, at: new Date() }
      const own = {
        shippingAddress: address,
        billingAddress: address,
        customerNotes: note,
        consent: { email: proof, sms: { ...proof, phone: adalgisa.phone } },
      }
      await create('addresses', { ...address, customer: id })
      const order = await saveOrder(
        payload,
        anOrder({
          ...own,
          customer: id,
          customerEmail: null,
          giftMessage: note,
          internalNotes: note,
        }),
      )
      const guestOrder = await saveOrder(payload, anOrder({ ...own, customerEmail: email }))
      const { exchangeId } = adalgisa
      const cart = await create('carts', {
        ...own,
        exchangeId,
        customer: id,
        currency: 'USD',
        items: [],
      })
      const visit = { name: 'Viewed Product', uniqueId: 'visit', properties: {} }
      await parts.outbox.store([
        {
          key: 'visit',
          message: { kind: 'event', profile: { exchangeId }, event: visit },
          acceptedAt: new Date(),
        },
      ])
      await create('transactions', {
        cart: cart.id,
        customerEmail: email,
        billingAddress: address,
        currency: 'USD',
        amount: 4250,
        paymentMethod: 'invoice',
        status: 'pending',
      })
      await parts.histories.start({ from: '2025-01-01', to: '2025-02-01' }, { startedBy: email })
      await store.handle(noticeRequest({ order_number: order.reference }))
      await store.handle(exportRequest({}))
      return { id, order, guestOrder }
    },
    remove: (id) =>
      store.api(new Request(`https://shop.example/api/users/${id}`, { method: 'DELETE' })),
    post: (path, body) => asAdmin(path, sending('POST', body)),
    patch: (path, body) => asAdmin(path, sending('PATCH', body)),
    get: (path) => asAdmin(path),
    erasures,
    async passTime() {
      const past = new Date(Date.now() - 600_000).toISOString()
      await database.run(
        sql`update marketing_erasures set created_at = ${past} where state <> 'done'`,
      )
      await database.run(
        sql`update marketing_sends set next_attempt_at = ${past} where kind = 'erase'`,
      )
      await database.run(
        sql`update marketing_sends set accepted_at = ${past} where kind = 'unsubscribe'`,
      )
    },
    async passTimeOfSweep() {
      const sends = await payload.find({ collection: 'marketing-sends', pagination: false })
      for (const { id, acceptedAt } of sends.docs as unknown as Data[]) {
        const before = new Date(Date.parse(String(acceptedAt)) - 600_000).toISOString()
        await database.run(sql`update marketing_sends set accepted_at = ${before},
          next_attempt_at = '2099-01-01T00:00:00.000Z' where id = ${id}`)
      }
      for (const { id, createdAt } of await erasures()) {
        const before = new Date(Date.parse(String(createdAt)) - 600_000).toISOString()
        await database.run(
          sql`update marketing_erasures set created_at = ${before} where id = ${id}`,
        )
      }
    },
    deliver,
    join: () => joinStore(kind, store.url, setup),
    async finish() {
      const isDone = async () => {
        await shop.passTime()
        await deliver()
        return (await erasures()).every(({ state }) => state === 'done')
      }
      await expect.poll(isDone).toBe(true)
    },
    async search(texts) {
      const places = new Map([...(await wholeDatabase(store)), ['the log', log.text()]])
      return [...places].flatMap(([place, content]) =>
        texts.filter((text) => formsOf(text).some((form) => content.includes(form))).length > 0
          ? [place]
          : [],
      )
    },
    async close() {
      await store.close()
      await served.close()
    },
  }
  return shop
}

const sending = (method: string, body: Data): RequestInit => ({
  method,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
})

async function adminToken({ payload }: TestStore): Promise<string> {
  const email = `admin-${randomUUID()}@shop.example`
  const password = 'correct horse battery'
  const data = { email, password, roles: ['admin'], _verified: true }
  await payload.create({ collection: 'users', data, disableVerificationEmail: true })
  const { token } = await payload.login({ collection: 'users', data: { email, password } })
  return token ?? ''
}
