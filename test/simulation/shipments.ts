import { handlerOf } from '../../src/core/installation.js'
import { anOrder, aLine, type SavedOrder } from '../support/orders.js'
import { exportRequest, noticeRequest } from '../support/shipping-requests.js'
import type { Row } from './gate.js'
import { addressOf, emailOf } from './people.js'
import { network } from './scheduler.js'
import {
  boughtItems,
  ShipmentsModel,
  type Parcel,
  type Pull,
  type StoredOrder,
} from './shipments-model.js'
import type { World } from './world.js'

export type ShipmentStep =
  | { do: 'order'; person: number; at: number }
  /** Odd: also pages past the end, pages again, and in another order, while an order changes. Shared: by two clients. */
  | { do: 'pull'; at: number; isShared: boolean; isOdd: boolean }
  /**
   * A parcel with one item or the other, with both, two parcels at once at two processes, one with one item of an
   * order that has become incomplete, or one while an admin saves its order.
   */
  | { do: 'ship'; order: number; parcel: number; at: number }
  /**
   * A `note` alone, with the lines again (`lines`), with a blank `city`, so that the order is incomplete, or the whole
   * order as a form has loaded it before.
   */
  | { do: 'admin saves'; order: number; what: 'note' | 'lines' | 'city' | 'form'; at: number }

/** How long ShipStation waits for an answer, and how often it asks. */
const patienceMs = 30_000
const mostTries = 10
/** How long a form is open. */
const openMs = 4_000
/** How long ShipStation reads a page. */
const readingMs = 1_000
const [tea, cup] = boughtItems
/** A carrier's parcels have these items. */
const parcels = [
  { carrier: 'UPS', items: [tea] },
  { carrier: 'DHL', items: [cup] },
  { carrier: 'FedEx', items: [tea, cup] },
]
/** After those, of two at once and of an incomplete order. */
const savedMeanwhile = parcels.length + 2
const linesOfOrder = () => boughtItems.map((sku) => aLine({ sku, quantity: 1 }))
const admin = { id: 1, collection: 'users', roles: ['admin'] }

interface Reading {
  at: number
  /** In which order the pages behind the first one are asked for. */
  orderOf: (pages: readonly number[]) => readonly number[]
  /** After the second page was answered. */
  afterSecond?: () => void
}

/** Who orders, ships and changes orders. */
export class Shipments {
  readonly model: ShipmentsModel
  /** The orders whose save was answered. */
  readonly #orders: SavedOrder[] = []
  readonly #pulled: Pull[] = []
  #pulls = 0
  #underWay = 0
  #notes = 0

  constructor(readonly world: World) {
    this.model = new ShipmentsModel(world.moments, world.forgotten)
  }

  do(step: ShipmentStep): void {
    if (step.do === 'order') void this.#order(step)
    else if (step.do === 'pull') void this.#toItsEnd(this.#pull(step))
    else {
      const order = this.#orders[step.order % this.#orders.length]
      if (order === undefined) return
      const { at } = step
      if (step.do === 'ship' && step.parcel === savedMeanwhile) {
        void this.#save(order, { do: 'admin saves', order: step.order, what: 'note', at: at + 1 })
        void this.#toItsEnd(this.#ship(order, 0, at))
      } else if (step.do === 'ship' && step.parcel === parcels.length) {
        for (const number of [0, 1]) void this.#toItsEnd(this.#ship(order, number, at + number))
      } else if (step.do === 'ship' && step.parcel > parcels.length) {
        const becomes = this.#save(order, {
          do: 'admin saves',
          order: step.order,
          what: 'city',
          at,
        })
        void this.#toItsEnd(becomes.then(() => this.#ship(order, 0, at)))
      } else if (step.do === 'ship') void this.#toItsEnd(this.#ship(order, step.parcel, at))
      else void this.#save(order, step)
    }
  }

  /** What is wrong now. */
  async problems(): Promise<string[]> {
    const { events } = this.world.klaviyo.state
    const idsOf = (name: string) =>
      events.filter(({ metric }) => metric === name).map(({ uniqueId }) => uniqueId)
    const told = {
      placed: idsOf('Placed Order'),
      shipped: idsOf('Shipped Order'),
      reviewable: idsOf('Ready to Review'),
    }
    const underWay = this.#underWay > 0 ? ['somebody has not finished'] : []
    return [...underWay, ...this.model.problems(await this.#stored(), told)]
  }

  /** The orders that each pull has got, by their pages. */
  pulled(): string[][] {
    return this.#pulled.map(({ seen }) =>
      [...seen]
        .toSorted(([one], [other]) => one - other)
        .map(([page, ids]) => `${page}: ${ids.join()}`),
    )
  }

  async #order({ person, at }: ShipmentStep & { do: 'order' }): Promise<void> {
    const process = this.world.processes.at(at)
    const email = emailOf(person)
    const placed = this.model.begin('orders', { id: undefined, person: email })
    const answered = this.world.forgotten.begin('visit', email)
    this.world.model.customers.add(email)
    const items = linesOfOrder()
    const data = anOrder({ customerEmail: email, shippingAddress: addressOf(person), items })
    const document = await process.saved(() =>
      process.payload.create({ collection: 'orders', data, depth: 0 }),
    )
    if (document === undefined) return
    const order = document as unknown as SavedOrder
    this.#orders.push(order)
    placed.id = String(order.id)
    this.model.end(placed)
    answered()
  }

  async #ship(order: SavedOrder, number: number, at: number) {
    const { carrier = '', items = [] } = parcels[number] ?? {}
    const trackingNumber = `1Z${order.id}${number}`
    const parcel: Parcel = { carrier, service: 'Ground', trackingNumber, items }
    const parameters = { carrier, service: parcel.service, tracking_number: trackingNumber }
    const named = items.map((sku) => `<Item><SKU>${sku}</SKU><Quantity>1</Quantity></Item>`)
    const body = `<ShipNotice><Items>${named.join('')}</Items></ShipNotice>`
    await this.#ask(at % 3, () => {
      const notice = this.model.begin('notices', { order: String(order.id), parcel })
      const request = noticeRequest({ order_number: order.reference, ...parameters }, { body })
      return { request, answered: () => this.model.end(notice) }
    })
  }

  async #save({ id }: SavedOrder, { what, at }: ShipmentStep & { do: 'admin saves' }) {
    const note = `n${++this.#notes}`
    const loaded = what === 'form' ? await this.#load(id, at) : {}
    if (loaded === undefined) return
    if (what === 'form') await this.#pause(openMs)
    const process = this.world.processes.at(at)
    const save = this.model.begin('saves', { order: String(id), note, what })
    const data = {
      ...loaded,
      internalNotes: note,
      ...(what === 'lines' && { items: linesOfOrder() }),
      ...(what === 'city' && { shippingAddress: { city: '' } }),
    }
    const saved = await process.saved(() =>
      process.payload.update({ collection: 'orders', id, data, depth: 0, user: admin }),
    )
    if (saved !== undefined) this.model.end(save)
  }

  #pause(ms: number): Promise<void> {
    const { scheduler } = this.world
    return this.#toItsEnd(new Promise((go) => void scheduler.after(network, ms, () => go())))
  }

  /** The run does not end before this has. */
  #toItsEnd(work: Promise<void>): Promise<void> {
    this.#underWay += 1
    return work.finally(() => (this.#underWay -= 1))
  }

  /** What a form gets; undefined when nothing came. */
  #load(id: SavedOrder['id'], at: number): Promise<object | undefined> {
    const process = this.world.processes.at(at)
    return process
      .run(() => process.payload.findByID({ collection: 'orders', id, depth: 0, user: admin }))
      .catch(() => undefined)
  }

  /** Two clients begin one window, or one. An order of page 1 changes between. */
  async #pull({ at, isShared, isOdd }: ShipmentStep & { do: 'pull' }): Promise<void> {
    const minute = String(++this.#pulls).padStart(2, '0')
    const window = { start_date: `11/01/2026 00:${minute}`, end_date: '12/01/2026 00:00' }
    const pull = this.#beginPull(isShared)
    const changeOrder = async () => {
      const order = this.#orders.find(({ id }) => pull.seen.get(1)?.includes(String(id)))
      if (order) await this.#save(order, { do: 'admin saves', order: 0, what: 'note', at })
    }
    const others: Promise<void>[] = []
    const readOn = async () => {
      await changeOrder()
      await this.#read(this.#beginPull(isShared), window, { at, orderOf: (pages) => pages })
    }
    await this.#read(pull, window, {
      at,
      orderOf: (pages) => (isOdd ? this.#oddPages(pages, isShared) : pages),
      afterSecond: () => {
        if (isShared || isOdd) others.push(isShared ? readOn() : changeOrder())
      },
    })
    await Promise.all(others)
  }

  #beginPull(isShared: boolean): Pull {
    const pull = this.model.begin('pulls', { seen: new Map(), timesBegun: 0, isShared })
    this.#pulled.push(pull)
    return pull
  }

  /** ShipStation asks for all pages of a window. */
  async #read(pull: Pull, window: Record<string, string>, { at, orderOf, afterSecond }: Reading) {
    const left = [1]
    for (let asked = 1; left.length > 0; asked += 1) {
      const page = left.shift()
      if (asked > 1) await this.#pause(readingMs)
      const response = await this.#ask(at, () => {
        if (page === 1) pull.timesBegun += 1
        return { request: exportRequest({ ...window, page: String(page) }) }
      })
      if (response === undefined) return
      const xml = await response.text()
      const ids = [...xml.matchAll(/<OrderID>(?:<!\[CDATA\[)?(\d+)/g)].map(([, id = '']) => id)
      pull.seen.set(Number(page), ids)
      if (asked === 2) afterSecond?.()
      if (asked > 1) continue
      const pages = Number(/pages="(\d+)"/.exec(xml)?.[1])
      left.push(...orderOf(Array.from({ length: Math.max(0, pages - 1) }, (_, index) => index + 2)))
    }
    this.model.end(pull)
  }

  /**
   * In order with pages past the end, or in another order, and pages again. Whoever leaves the order while
   * another one reads the same window may be taken for that one (`docs/decisions/0001-export.md`).
   */
  #oddPages(pages: readonly number[], isShared: boolean): number[] {
    const { random } = this.world.scheduler
    const last = pages.length + 1
    const shuffled = pages
      .map((page) => ({ page, place: random.next() }))
      .toSorted((one, other) => one.place - other.place)
      .map(({ page }) => page)
    const isInOrder = random.chance(0.5) || (isShared && shuffled[0] === 2)
    return (isInOrder ? pages : shuffled).flatMap((page) => [
      ...(isInOrder && random.chance(0.5) ? [last + random.between(1, 90)] : []),
      ...(page < last && random.chance(0.2) ? [page, page] : [page]),
    ])
  }

  /** ShipStation asks again, at any process, until it is answered. Undefined when nobody answers. */
  async #ask(
    at: number,
    attempt: () => { request: Request; answered?: () => void },
  ): Promise<Response | undefined> {
    const { scheduler, processes } = this.world
    for (let tries = 0; tries < mostTries; tries++) {
      const process =
        tries === 0 ? this.world.processes.at(at) : scheduler.random.pick(processes.all)
      const { request, answered } = attempt()
      const asked = process.run(() => handlerOf(process.payload)(request))
      const late = new Promise<undefined>((resolve) => {
        scheduler.after(network, patienceMs, () => resolve(undefined))
      })
      const response = await Promise.race([asked.catch(() => undefined), late])
      if (response?.status !== 200) continue
      answered?.()
      return response
    }
    return undefined
  }

  /** The orders as the tables have them. */
  async #stored(): Promise<StoredOrder[]> {
    const [orders, lines, entries, notices, shipped] = await Promise.all(
      [
        'select id, number, status, internal_notes, saving_since, person_erased from orders',
        'select _parent_id as "order" from orders_items',
        'select _parent_id as "order", carrier, service, tracking_number from orders_tracking',
        `select id, order_id as "order", carrier, service, tracking_number, items_left, status_after, repeats
          from shipping_notices order by id`,
        'select _parent_id as "order", sku from shipping_notices_lines order by _order',
      ].map((statement) => this.world.rows(statement)),
    )
    const of = (rows: Row[] = [], id: unknown) => rows.filter(({ order }) => order === id)
    return (orders ?? []).map(
      ({ id, number, status, internal_notes, saving_since, person_erased }) => {
        return {
          id: String(id),
          number: String(number),
          status: String(status),
          note: String(internal_notes ?? ''),
          isWhole: saving_since === null,
          isErased: person_erased === 'anonymised',
          lines: of(lines, id).length,
          entries: of(entries, id).map((row) => parcelOf(row)),
          notices: of(notices, id).map((row) => ({
            ...parcelOf(row, of(shipped, row.id)),
            left: row.items_left === null ? undefined : Number(row.items_left),
            statusAfter: String(row.status_after),
            repeats: Number(row.repeats),
          })),
        }
      },
    )
  }
}

const parcelOf = ({ carrier, service, tracking_number }: Row, lines: Row[] = []): Parcel => ({
  carrier: String(carrier),
  service: String(service),
  trackingNumber: String(tracking_number),
  items: lines.map(({ sku }) => String(sku)),
})
