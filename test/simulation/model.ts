import type { Scope } from '../../dev/klaviyo/calls.ts'
import type { ErasuresModel } from './erasures-model.js'

export const wishKinds = ['event', 'identify', 'subscribe', 'unsubscribe'] as const

/** What a message says, as whoever posted it knows it. */
export interface Wish {
  id: string
  person: string
  kind: (typeof wishKinds)[number]
  /** Those of one post keep their order. */
  post?: number
  /** By the clock of the simulation. */
  askedMs: number
  /** Whether Klaviyo refuses it, and each call that has it. */
  isPoison: boolean
  /** Whether Klaviyo refuses it until it is resent. Then it may come after what was asked for later. */
  isRefusedAtFirst?: boolean
  /** Whether Klaviyo was told of it, and not the shop. */
  isAtKlaviyo?: boolean
}

/** When somebody began something, and when they were answered. */
export interface Span {
  begun: number
  ended: number | undefined
}

/** Puts all that happens in one order. */
export class Moments {
  #last = 0

  begin<What extends object>(what: What): What & Span {
    return { ...what, begun: ++this.#last, ended: undefined }
  }

  end(span: Span): void {
    span.ended = ++this.#last
  }
}

/** Whether one was over before the other began. Otherwise nobody can tell which came first. */
export const isOver = (one: Span, other: Span): boolean =>
  one.ended !== undefined && one.ended < other.begun

/** What Klaviyo has. */
export interface Arrived {
  /** In the order in which they were recorded. */
  events: readonly { id: string; person: string }[]
  /** The number of the last identify or event that each profile shows. */
  steps: ReadonlyMap<string, number>
  subscribed: ReadonlySet<string>
  /** Who was subscribed, each time. */
  subscriptions: readonly string[]
}

/** What is left in the outbox when nothing is due any more: the states by the ids of the messages. */
export type Left = ReadonlyMap<string, string>

/**
 * What must be so, from `docs/interface.md` and `docs/operations.md` alone. It knows who asked for what, and in
 * which order, and nothing of how that is done.
 */
export class Model {
  /** In the order in which they began. */
  readonly #wishes: Asked[] = []
  readonly #blamed = new Set<string>()
  /** Whether a merchant has sent again what Klaviyo had refused. */
  hasResent = false
  /** Who has an order or a review: the shop sends events about them that nobody posts. */
  readonly customers = new Set<string>()

  constructor(
    readonly moments: Moments,
    readonly forgotten: ErasuresModel,
  ) {}

  /** Somebody asks for something. Call what is returned when it was answered. */
  ask(wish: Wish): () => void {
    const asked = this.moments.begin({ wish })
    this.#wishes.push(asked)
    return () => this.moments.end(asked)
  }

  /** What is wrong when all is done. */
  problems(arrived: Arrived, left: Left): string[] {
    return [
      ...this.#ofEvents(arrived, left),
      ...this.#ofFailures(left),
      ...this.#ofOrder(arrived),
      ...this.#ofProfiles(arrived, left),
      ...this.#ofConsents(arrived, left),
      ...this.#ofSubscriptions(arrived),
    ]
  }

  /** Nothing answered is lost, nothing is recorded twice, nothing comes from nowhere. */
  #ofEvents({ events }: Arrived, left: Left): string[] {
    const counts = new Map<string, number>()
    for (const { id } of events) counts.set(id, (counts.get(id) ?? 0) + 1)
    const asked = new Set(this.#wishes.map(({ wish }) => wish.id))
    return [
      ...this.#wishes
        .filter((asked) => asked.wish.kind === 'event' && this.#isDue(asked))
        .filter(({ wish }) => !counts.has(wish.id) && !hasFailed(left.get(wish.id)))
        .map(({ wish }) => `lost: ${wish.id} (${left.get(wish.id) ?? 'not stored'})`),
      ...this.#wishes
        .filter((asked) => counts.has(asked.wish.id) && this.#isGone(asked))
        .map(({ wish }) => `back after an erasure: ${wish.id}`),
      ...[...counts].filter(([, count]) => count > 1).map(([id]) => `twice: ${id}`),
      ...[...counts.keys()].filter((id) => !asked.has(id)).map((id) => `from nowhere: ${id}`),
    ]
  }

  /** Sees what has failed by now. */
  look(left: Left): void {
    for (const { wish } of this.#wishes) {
      const state = left.get(wish.id)
      if (!hasFailed(state) || wish.isPoison || isGivenUp(state)) continue
      if (wish.isRefusedAtFirst) continue
      this.#blamed.add(`blamed: ${wish.id} (${state})`)
    }
  }

  /**
   * What waits, though nothing of its person that goes with it needs one of these scopes. Everything waits for the
   * deletion of a profile, which would take it, and the deletion waits for objections.
   */
  heldUp(waiting: readonly string[], scopes: ReadonlySet<Scope>): string[] {
    const needing = [...scopes].flatMap((scope) => needs[scope] ?? [])
    const holdsDeletions = scopes.has('data-privacy:write') || needing.includes('unsubscribe')
    const waitsForShop = ({ person, kind }: Wish): boolean =>
      needing.includes('event') && !isConsent(kind) && this.customers.has(person)
    return this.#wishes
      .filter(({ wish }) => waiting.includes(wish.id) && !waitsForShop(wish))
      .filter(({ wish }) => !holdsDeletions || !this.forgotten.hasErasure(wish.person))
      .filter(({ wish: { person, kind } }) =>
        this.#wishes.every(
          ({ wish }) =>
            wish.person !== person ||
            !needing.includes(wish.kind) ||
            isConsent(wish.kind) !== isConsent(kind),
        ),
      )
      .map(({ wish }) => `waits for the scope of others: ${wish.id}`)
  }

  /** Whether something has failed that Klaviyo takes by now. */
  mustResend(left: Left): boolean {
    return this.#wishes.some(({ wish: { id, isRefusedAtFirst } }) => {
      const state = left.get(id)
      return isRefusedAtFirst && hasFailed(state) && !isGivenUp(state)
    })
  }

  /** What Klaviyo refuses fails, and nothing else fails for it. */
  #ofFailures(left: Left): string[] {
    const taken = this.#wishes.filter(({ wish: { id, isPoison } }) => {
      const state = left.get(id)
      return isPoison && state !== undefined && !hasFailed(state)
    })
    return [...this.#blamed, ...taken.map(({ wish }) => `not refused: ${wish.id}`)]
  }

  /** What was answered before another thing was asked for comes before it, for each person. */
  #ofOrder({ events }: Arrived): string[] {
    const place = new Map(events.map(({ id }, index) => [id, index]))
    const of = this.#wishes.filter(({ wish }) => place.has(wish.id))
    return of.flatMap((earlier) =>
      (earlier.wish.isRefusedAtFirst ? [] : of)
        .filter((later) => isBefore(earlier, later))
        .filter(({ wish }) => (place.get(wish.id) ?? 0) < (place.get(earlier.wish.id) ?? 0))
        .map(({ wish }) => `out of order: ${wish.id} before ${earlier.wish.id}`),
    )
  }

  /** A profile says what was asked for last, never something older. */
  #ofProfiles({ steps }: Arrived, left: Left): string[] {
    const people = new Set(this.#wishes.map(({ wish }) => wish.person))
    return [...people].flatMap((person) => {
      const all = this.#wishes.filter(
        ({ wish }) => wish.person === person && (wish.kind === 'identify' || wish.kind === 'event'),
      )
      const own = all.filter(({ wish }) => !wish.isPoison)
      if (own.some(({ wish }) => hasFailed(left.get(wish.id)))) return []
      // What is repeated has the newest values, also those of an event that is refused.
      const shown = all.find(({ wish }) => stepOf(wish.id) === steps.get(person))
      const newer = own.findLast((one) => this.#isDue(one) && (!shown || isBefore(shown, one)))
      if (!newer) return []
      return [`older profile: ${person} shows ${shown?.wish.id ?? 'nothing'}, not ${newer.wish.id}`]
    })
  }

  /** What is wrong when profiles show another number than before: nothing newer is taken back. */
  changed(before: Arrived['steps'], now: Arrived['steps']): string[] {
    return [...now].flatMap(([person, step]) => {
      const of = (number: number | undefined) =>
        this.#wishes.find(({ wish }) => wish.person === person && stepOf(wish.id) === number)
      const [newer, older] = [of(before.get(person)), of(step)]
      // What an erasure may have taken is not sent along again. The profile goes soon.
      return newer &&
        older &&
        this.forgotten.isAfter(person, newer) &&
        !newer.wish.isPoison &&
        isBefore(older, newer) &&
        !this.#isBeforeRefused(older)
        ? [`taken back: ${person} shows ${older.wish.id} after ${newer.wish.id}`]
        : []
    })
  }

  /**
   * Whether a value that Klaviyo refuses came later, or was sent again. Then nobody knows which of the others a call whose answer was lost
   * has set, and each goes alone (`docs/decisions/0005-outbox.md`).
   */
  #isBeforeRefused(older: Asked): boolean {
    return (
      older.wish.isRefusedAtFirst !== true &&
      this.#wishes.some(
        (one) =>
          one.wish.kind === 'identify' &&
          one.wish.person === older.wish.person &&
          (one.wish.isPoison || one.wish.isRefusedAtFirst) &&
          (this.hasResent || isBefore(older, one)),
      )
    )
  }

  /** Nobody is subscribed more often than asked for: each may bring a mail. */
  #ofSubscriptions({ subscriptions }: Arrived): string[] {
    return [...new Set(subscriptions)].flatMap((person) => {
      const times = subscriptions.filter((each) => each === person).length
      const asked = this.#wishes.filter(
        ({ wish }) => wish.person === person && wish.kind === 'subscribe',
      )
      return times > asked.length ? [`subscribed ${times} times: ${person}`] : []
    })
  }

  /** Whether it was answered, and no erasure may have taken it. */
  #isDue(asked: Asked): boolean {
    return asked.ended !== undefined && this.forgotten.isAfter(asked.wish.person, asked)
  }

  #isGone(asked: Asked): boolean {
    return this.forgotten.isGone(asked.wish.person, asked)
  }

  /** Nobody is subscribed who left last, and whoever subscribed last is. */
  #ofConsents({ subscribed }: Arrived, left: Left): string[] {
    const people = new Set(this.#wishes.map(({ wish }) => wish.person))
    return [...people].flatMap((person) => {
      const own = this.#wishes.filter(
        (asked) =>
          asked.wish.person === person &&
          (asked.wish.kind === 'subscribe' || asked.wish.kind === 'unsubscribe') &&
          !this.#isGone(asked),
      )
      const last = own.at(-1)
      // A wish that was not answered before another one began may count before it or after it.
      const isOpen = own.some(
        (one) => !this.#isDue(one) || (last && one !== last && !isBefore(one, last)),
      )
      if (last === undefined || isOpen || own.some(({ wish }) => hasFailed(left.get(wish.id))))
        return []
      const isIn = subscribed.has(person)
      if (last.wish.kind === 'unsubscribe') {
        // Whether a consent that waits is older is decided by the clock of the process that took it.
        const isKnown = !last.wish.isAtKlaviyo || this.forgotten.clocksAgree
        return isIn && isKnown ? [`consent: ${person} has left`] : []
      }
      // By a clock that was set, the person may have left since.
      return isIn || !this.forgotten.clocksAgree ? [] : [`consent: ${person} has come back`]
    })
  }
}

const consents: readonly Wish['kind'][] = ['subscribe', 'unsubscribe']

/** What waits for a scope. */
const needs: Partial<Record<Scope, readonly Wish['kind'][]>> = {
  'events:write': ['event'],
  'profiles:write': ['identify', ...consents],
  'profiles:read': ['subscribe'],
  'lists:read': ['subscribe'],
  'lists:write': consents,
  'subscriptions:write': consents,
}

/** Values and consents of a person keep an order each. */
const isConsent = (kind: Wish['kind']): boolean => consents.includes(kind)

/** `e12` is the twelfth. */
export const stepOf = (id: string): number => Number(id.slice(1))

type Asked = Span & { wish: Wish }

const isBefore = (one: Asked, other: Asked): boolean =>
  one.wish.person === other.wish.person &&
  (isOver(one, other) ||
    (one.wish.post !== undefined && one.wish.post === other.wish.post && one.begun < other.begun))

const hasFailed = (state: string | undefined): boolean => state?.startsWith('failed') === true

/** Set aside, and shown to the merchant: alone in calls of four lost processes. */
export const isGivenUp = (state = ''): boolean => /worker_lost$/i.test(state)
