import type { StoreConnectOptions } from '../../../src/plugin/options.js'
import { apiOf } from '../../support/api-of.js'
import { anAddress, anOrder, saveOrder } from '../../support/orders.js'
import { element, shipNotice } from '../../shipping/notice/ship-notice-document.js'
import { exportRequest, noticeRequest } from '../../support/shipping-requests.js'
import {
  openSimulatedStore,
  type SimulatedSetup,
  type SimulatedStore,
} from '../../support/simulated-store.js'
import type { DatabaseKind } from '../../support/store-config.js'
import { formsOf, wholeDatabase } from '../../support/whole-database.js'

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

/** Names the person whose parcel it is. */
const noticeFor = (email: string) =>
  shipNotice({
    Recipient: element('Name', `${adalgisa.firstName} ${adalgisa.lastName}`),
    NotesToCustomer: email,
    CustomField3: adalgisa.phone,
  })

export type ErasureShop = Awaited<ReturnType<typeof openErasureShop>>

/**
 * By default in a store whose ids are numbers, which occur everywhere. Emails are verified, and a deleted
 * account is erased.
 */
export async function openErasureShop(
  kind: DatabaseKind,
  options: StoreConnectOptions = {},
  setup: Pick<
    SimulatedSetup,
    'open' | 'orders' | 'versions' | 'userAccess' | 'userAuth' | 'userTrash'
  > = {},
) {
  const shop = await openSimulatedStore(kind, {
    userAccess: { delete: () => true, read: () => true },
    userAuth: { verify: true },
    ...setup,
    options: {
      ...options,
      marketing: options.marketing !== false && {
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
        settings: { accountDeletions: true, ...options.marketing?.settings },
      },
    },
  })
  const ask = apiOf(shop)
  const create = async (collection: string, data: Data) =>
    (await shop.payload.create({
      collection,
      data: { ...(collection === 'users' && { _verified: true }), ...data },
      disableVerificationEmail: true,
    })) as unknown as { id: number | string }
  const erasures = async () =>
    (await shop.payload.find({ collection: 'marketing-erasures', pagination: false }))
      .docs as unknown as Data[]
  /** The next look of the process that delivers. */
  const round = async () => {
    shop.move(3_000)
    await shop.runTask()
    shop.standIn.settle()
  }

  return Object.assign(shop, {
    create,
    /** An account with everything that the shop may hold of its person. */
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
        shop.payload,
        anOrder({
          ...own,
          customer: id,
          customerEmail: null,
          giftMessage: note,
          internalNotes: note,
        }),
      )
      const guestOrder = await saveOrder(shop.payload, anOrder({ ...own, customerEmail: email }))
      const { exchangeId } = adalgisa
      const cart = await create('carts', {
        ...own,
        exchangeId,
        customer: id,
        currency: 'USD',
        items: [],
      })
      const visit = { name: 'Viewed Product', uniqueId: 'visit', properties: {} }
      await shop.parts.outbox.store([
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
      await shop.parts.histories.start(
        { from: '2025-01-01', to: '2025-02-01' },
        { startedBy: email },
      )
      await shop.handle(
        noticeRequest({ order_number: order.reference }, { body: noticeFor(email) }),
      )
      await shop.handle(exportRequest({}))
      return { id, order, guestOrder }
    },
    remove: (id: number | string) => ask(`/users/${id}`, { method: 'DELETE' }),
    /** A post of an admin. */
    post: (path: string, body: Data) => ask(path, { as: 'admin', body }),
    /** A save of an admin. */
    patch: (path: string, body: Data) => ask(path, { as: 'admin', method: 'PATCH', body }),
    /** What an admin reads. */
    get: (path: string) => ask(path, { as: 'admin' }),
    erasures,
    round,
    /** Delivers until all erasures are done. */
    async finish() {
      for (let rounds = 0; rounds < 30; rounds++) {
        shop.move(10 * 60_000)
        await round()
        if ((await erasures()).every(({ state }) => state === 'done')) return
      }
      throw new Error('The erasures are not done.')
    },
    /** The tables, and the log, that hold something of the person, each with what was found. */
    async search(texts: readonly string[]): Promise<string[]> {
      const places = new Map([...(await wholeDatabase(shop)), ['the log', shop.log.text()]])
      return [...places].flatMap(([place, content]) =>
        texts.some((text) => formsOf(text).some((form) => content.includes(form))) ? [place] : [],
      )
    },
  })
}

/** Calls to Klaviyo are under way until they are let go, or fail. */
export function holdCalls(shop: SimulatedStore) {
  const { network } = shop
  let end: (error: Error | undefined) => void
  const ended = new Promise<Error | undefined>((resolve) => (end = resolve))
  /** Resolves when one is under way. */
  const arrived = new Promise<void>((resolve) => {
    shop.network = async (request, ask) => {
      resolve()
      const error = await ended
      if (error) throw error
      return ask(request)
    }
  })
  return {
    arrived,
    letGo(error?: Error): void {
      shop.network = network
      end(error)
    },
  }
}
