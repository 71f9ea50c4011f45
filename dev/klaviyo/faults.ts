import type { CallName } from './calls.ts'

export const faultKinds = [
  'reset',
  'hang',
  'truncate',
  'delay',
  'error',
  'wrong-key',
  'forbidden',
  'retired',
  'throttle',
  'redirect',
  'poison',
  'late-poison',
] as const

export type FaultKind = (typeof faultKinds)[number]

/** Something that goes wrong on demand. */
export interface Fault {
  /**
   * - `reset`: the connection breaks without an answer.
   * - `hang`: no answer ever.
   * - `truncate`: the answer stops in the middle.
   * - `delay`: the answer comes after `seconds`.
   * - `error`: the answer is `status`.
   * - `wrong-key`: 401. `forbidden`: 403.
   * - `retired`: 410, as for a revision that is served no more. Only for who opted out of another revision.
   * - `throttle`: 429 with a Retry-After of `seconds`.
   * - `redirect`: 307 to another host.
   * - `poison`: an item that holds `marker` anywhere has the whole call refused.
   * - `late-poison`: an entry of the catalog that holds `marker` anywhere fails in its job.
   */
  kind: FaultKind
  /** Only these calls; default: all. */
  calls?: readonly CallName[]
  /** Strikes this often, then never again; default: until removed. */
  times?: number
  /** Strikes in this share of the calls, from 0 to 1; default: all. */
  chance?: number
  /**
   * Whether the account takes the request before the answer is lost or replaced: for `reset`,
   * `hang` and `error`. Default: no.
   */
  isProcessed?: boolean
  /** Of `error`; default 500. */
  status?: number
  /** Of `delay` and `throttle`; default 1. */
  seconds?: number
  /** Of `poison` and `late-poison`; default `poison`. */
  marker?: string
  /**
   * What a poisoned call answers: 400 with a pointer at the `item`, 400 with the pointer `/data`, or a
   * server `error` of `status`. Default: `data`.
   */
  says?: 'item' | 'data' | 'error'
}

export interface ActiveFault {
  readonly id: number
  readonly fault: Readonly<Fault>
  /** Strikes that are left. */
  left: number
  strikes: number
}

/** The faults that are on. */
export class Faults {
  readonly #active = new Map<number, ActiveFault>()
  readonly #random: () => number
  #lastId = 0

  constructor(random: () => number) {
    this.#random = random
  }

  add(fault: Fault): { remove: () => void } {
    this.#lastId += 1
    const id = this.#lastId
    this.#active.set(id, { id, fault, left: fault.times ?? Infinity, strikes: 0 })
    return { remove: () => void this.#active.delete(id) }
  }

  remove(id: number): void {
    this.#active.delete(id)
  }

  clear(): void {
    this.#active.clear()
  }

  get active(): readonly ActiveFault[] {
    return [...this.#active.values()]
  }

  /** The first fault of these kinds that strikes this call. */
  strike(call: CallName, kinds: ReadonlySet<FaultKind>): Fault | undefined {
    for (const active of this.#active.values()) {
      const { fault } = active
      if (!kinds.has(fault.kind) || !this.#chooses(fault, call)) continue
      this.#use(active)
      return fault
    }
    return undefined
  }

  /** The first fault of a kind that is marked by something in the request. */
  strikeMarked(call: CallName, kind: FaultKind, holds: (marker: string) => boolean) {
    for (const active of this.#active.values()) {
      const { fault } = active
      if (fault.kind !== kind || !holds(markerOf(fault)) || !this.#chooses(fault, call)) continue
      this.#use(active)
      return fault
    }
    return undefined
  }

  #chooses({ calls, chance }: Fault, call: CallName): boolean {
    if (calls && !calls.includes(call)) return false
    return chance === undefined || this.#random() < chance
  }

  #use(active: ActiveFault): void {
    active.strikes += 1
    active.left -= 1
    if (active.left <= 0) this.#active.delete(active.id)
  }
}

export const markerOf = ({ marker }: Fault): string => marker ?? 'poison'

/** What `fetch` throws when a connection breaks, or reading a body that ends too early. */
export class ConnectionLost extends TypeError {
  constructor(message: 'fetch failed' | 'terminated') {
    const cause = Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' })
    super(message, { cause })
  }
}
