import type { ErasuresModel } from './erasures-model.js'
import { isOver, type Moments, type Span } from './model.js'

/** What every order has, one of each. */
export const boughtItems = ['TEA-1', 'CUP-1'] as const

/** How a parcel is sent, and the SKUs of what is in it. */
export interface Parcel {
  carrier: string
  service: string
  trackingNumber: string
  items: readonly string[]
}

/** A notice as the tables have it, with what it has changed. */
interface StoredNotice extends Parcel {
  /** How many items were in none of the parcels so far. */
  left: number | undefined
  statusAfter: string
  repeats: number
}

/** An order of the shop as its tables have it. */
export interface StoredOrder {
  id: string
  number: string
  status: string
  note: string
  /** False when a save of several statements was cut off: the merchant is told of it, and nobody else. */
  isWhole: boolean
  /** Whether it says that its person was erased. */
  isErased: boolean
  lines: number
  entries: readonly Parcel[]
  /** In the order in which they came. */
  notices: readonly StoredNotice[]
}

/** The ids of what Klaviyo heard of. */
export interface Told {
  placed: readonly string[]
  shipped: readonly string[]
  /** That its review is asked for. */
  reviewable: readonly string[]
}

type Placed = Span & { id: string | undefined; person: string }
type Notice = Span & { order: string; parcel: Parcel }
type Save = Span & { order: string; note: string; what: 'note' | 'lines' | 'city' | 'form' }
/** What its pages had, and whether other pulls may have asked for the same window. */
export type Pull = Span & { seen: Map<number, string[]>; timesBegun: number; isShared: boolean }

/** What people do. */
interface Deeds {
  orders: Placed[]
  notices: Notice[]
  saves: Save[]
  pulls: Pull[]
}

/** What must be so of orders and shipments, from `docs/interface.md` alone. */
export class ShipmentsModel {
  /** Whether no process stood still or had another time: the mark of a save counts for five seconds. */
  marksHold = true
  readonly #deeds: Deeds = { orders: [], notices: [], saves: [], pulls: [] }

  constructor(
    readonly moments: Moments,
    readonly forgotten: ErasuresModel,
  ) {}

  begin<Kind extends keyof Deeds>(
    kind: Kind,
    what: Omit<Deeds[Kind][number], keyof Span>,
  ): Deeds[Kind][number] {
    const begun = this.moments.begin(what) as Deeds[Kind][number]
    this.#deeds[kind].push(begun as never)
    return begun
  }

  end(deed: Span): void {
    this.moments.end(deed)
  }

  problems(stored: readonly StoredOrder[], told: Told): string[] {
    const numbers = stored.map(({ number }) => number)
    const shipped = stored.filter(({ status }) => status === 'shipped')
    const requestOf = ({ number }: StoredOrder) => `${number}:review`
    return [
      ...unlike('orders at Klaviyo', told.placed, {
        expected: stored.filter((order) => this.#isTold(order)).map(({ number }) => number),
        allowed: numbers,
      }),
      ...unlike('requests for reviews', told.reviewable, {
        expected: shipped.filter((order) => this.#isTold(order)).map(requestOf),
        allowed: shipped.map(requestOf),
      }),
      ...stored.flatMap((order) => [...this.#ofShipments(order, told), ...this.#ofSaves(order)]),
      ...this.#ofErasures(stored),
      ...this.#deeds.pulls.flatMap((pull) => this.#ofPull(pull)),
    ]
  }

  /** A save that was cut off is told by nobody, nor is what may be of somebody who is forgotten. */
  #isTold({ id, isWhole, isErased }: StoredOrder): boolean {
    const answered = this.#deeds.orders.filter((order) => order.id === id)
    // An order that was not answered may be anybody's.
    const own = answered.length > 0 ? answered : this.#deeds.orders
    const isAfter = own.every((order) => this.forgotten.isAfter(order.person, order))
    return isWhole && !isErased && isAfter
  }

  /** Each notice that was answered is recorded once, with all that it moves, and told once. */
  #ofShipments(order: StoredOrder, { shipped }: Told): string[] {
    const sent = this.#deeds.notices.filter((notice) => notice.order === order.id)
    const recorded = order.notices.map(nameOf)
    const answered = sent.filter(({ ended }) => ended !== undefined)
    const hears = (name: string) =>
      shipped.filter((id) => id === `${order.number}:${name.split(' ').at(-1)}`).length
    const isShipped = isAll(order.notices)
    const isCertain = this.#isCertain(order)
    const shown = order.entries.map(nameOf)
    const last = sent.filter((notice) => !answered.some((later) => isOver(notice, later)))
    return [
      ...unlike(`shipments of ${order.id}`, recorded, {
        expected: answered.map(({ parcel }) => nameOf(parcel)),
        allowed: sent.map(({ parcel }) => nameOf(parcel)),
      }),
      ...order.notices
        .filter(({ items, trackingNumber }) =>
          sent.every(
            ({ parcel: one }) => one.trackingNumber !== trackingNumber || !isSame(one.items, items),
          ),
        )
        .map((notice) => `half a shipment: ${nameOf(notice)}`),
      ...(order.status === (isShipped ? 'shipped' : 'processing') ||
      (order.status === 'processing' && !isCertain)
        ? []
        : [`status of ${order.id}: ${order.status} with ${recorded.length} shipments`]),
      ...(isCertain ? order.notices.flatMap((_, place) => ofDecision(order.notices, place)) : []),
      ...order.notices
        .filter(
          ({ repeats, ...one }) =>
            repeats >= sent.filter(({ parcel }) => nameOf(parcel) === nameOf(one)).length,
        )
        .map((notice) => `${notice.repeats} repeats: ${nameOf(notice)}`),
      ...(shown.length === Math.min(recorded.length, 1) &&
      shown.every((name) => last.some(({ parcel }) => nameOf(parcel) === name))
        ? []
        : [`tracking of ${order.id}: ${shown.join(', ') || 'none'}`]),
      ...recorded
        .filter((name) => this.#isTold(order) && hears(name) !== 1)
        // The feed goes back an hour or two once in each hour (`docs/decisions/0006-events.md`).
        .filter((name) => this.forgotten.clocksAgree || hears(name) > 0)
        .map((name) => `told ${hears(name)} times: ${name}`),
    ]
  }

  /** Whether its lines are known: no save of them was cut off or left them twice. */
  #isCertain({ id, isWhole }: StoredOrder): boolean {
    const saves = this.#deeds.saves.filter(({ order }) => order === id)
    const inParts = saves.filter(isInParts)
    return isWhole && inParts.every(({ ended }) => this.marksHold && ended !== undefined)
  }

  /** What an admin saved last is there, and no save left an order in pieces. */
  #ofSaves({ id, note, isWhole, isErased, lines }: StoredOrder): string[] {
    const saves = this.#deeds.saves.filter(({ order }) => order === id)
    const answered = saves.filter(({ ended }) => ended !== undefined)
    const last = saves.filter((save) => !answered.some((later) => isOver(save, later)))
    const isKept =
      last.some((save) => save.note === note) || (note === '' && (isErased || !answered.length))
    return [
      ...(isKept ? [] : [`a save is undone: ${id} has "${note}"`]),
      ...(lines !== boughtItems.length && isWhole && this.#areWhole(saves)
        ? [`${id} has ${lines} lines`]
        : []),
    ]
  }

  /** Whoever saves again what a cut-off save has left takes it as it is. */
  #areWhole(saves: readonly Save[]): boolean {
    const inParts = saves.filter(isInParts)
    const followEachOther = inParts.every((save, index) =>
      inParts.slice(index + 1).every((other) => isOver(save, other) || isOver(other, save)),
    )
    return inParts.every(({ ended }) => ended !== undefined) && (this.marksHold || followEachOther)
  }

  /** Only an order of somebody who was erased says so. */
  #ofErasures(stored: readonly StoredOrder[]): string[] {
    return this.#deeds.orders
      .filter((order) => stored.some(({ id, isErased }) => isErased && id === order.id))
      .filter((order) => this.forgotten.isAfter(order.person, order))
      .map(({ id }) => `order ${id} is erased, and nobody asked for it`)
  }

  /** A pull has each order once that was there at its beginning; incomplete or in the middle of a save it may miss. */
  #ofPull(pull: Pull): string[] {
    if (pull.ended === undefined) return []
    const seen = [...pull.seen.values()].flat()
    const mayMiss = (order: string) =>
      this.#deeds.saves.some(
        (save) =>
          save.order === order &&
          !isOver(pull, save) &&
          (save.what === 'city' || (isInParts(save) && !isOver(save, pull))),
      )
    const expected = this.#deeds.orders.filter(
      ({ id, ...one }) =>
        id !== undefined &&
        isOver(one, pull) &&
        !mayMiss(id) &&
        this.forgotten.isAfter(one.person, one),
    )
    return [
      // Two that ask for the first page cannot be told apart from two pulls.
      ...(pull.timesBegun > 1 || pull.isShared
        ? []
        : twice(seen).map((id) => `a pull has order ${id} twice`)),
      ...expected
        .flatMap(({ id }) => (id === undefined || seen.includes(id) ? [] : [id]))
        .map((id) => `a pull misses order ${id}`),
    ]
  }
}

const isInParts = ({ what }: Save) => what === 'lines' || what === 'form'

const isAll = (parcels: readonly Parcel[]) =>
  boughtItems.every((sku) => parcels.some(({ items }) => items.includes(sku)))

const isSame = (one: readonly string[], other: readonly string[]) => one.join() === other.join()

/** A notice counts what the ones before it have left, and the one that leaves nothing moves the order. */
function ofDecision(notices: readonly StoredNotice[], place: number): string[] {
  const [upTo, notice] = [notices.slice(0, place + 1), notices[place]]
  if (notice === undefined) return []
  const shipped = new Set(upTo.flatMap(({ items }) => items))
  const left = isAll([notice]) ? undefined : boughtItems.length - shipped.size
  const status = isAll(upTo) ? 'shipped' : 'processing'
  return notice.left === left && notice.statusAfter === status
    ? []
    : [`${notice.left ?? 'no'} items left and ${notice.statusAfter} after ${nameOf(notice)}`]
}

/** What is missing, what is there twice, and what is there without having come. */
function unlike(
  what: string,
  there: readonly string[],
  { expected, allowed }: { expected: readonly string[]; allowed: readonly string[] },
): string[] {
  const missing = expected.filter((name) => !there.includes(name))
  return [
    ...[...new Set(missing)].map((name) => `${what}: lost ${name}`),
    ...twice(there).map((name) => `${what}: twice ${name}`),
    ...there
      .filter((name) => !allowed.includes(name))
      .map((name) => `${what}: from nowhere ${name}`),
  ]
}

const nameOf = ({ carrier, service, trackingNumber }: Parcel) =>
  `${carrier} ${service} ${trackingNumber}`

const twice = (names: readonly string[]) =>
  names.filter((name, index) => names.indexOf(name) !== index)
