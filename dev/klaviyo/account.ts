import type { EventInput, ProfileInput, SubscriberInput } from './bodies.ts'
import { readDateTime } from './formats.ts'
import type { ListSeed } from './lists.ts'
import { Catalog } from './catalog.ts'
import { Coupons } from './coupons.ts'
import { ProfileBook } from './profile-book.ts'
import type {
  Channel,
  Confirmation,
  Effect,
  Mapping,
  StoredEvent,
  StoredList,
  StoredMetric,
  StoredProfile,
  SuppressionReason,
  Waiting,
} from './stored.ts'

interface AccountParts {
  now: () => number
  newId: () => string
  lists: readonly ListSeed[]
}

/** Suppressions that a new subscription lifts, as the endpoint's description says. */
const LIFTED = new Set<SuppressionReason>(['UNSUBSCRIBE', 'SPAM_COMPLAINT', 'USER_SUPPRESSED'])

/** All that the account holds. Takes checked input only; knows no HTTP. */
export class Account {
  readonly book: ProfileBook
  readonly catalog: Catalog
  readonly coupons: Coupons
  readonly events: StoredEvent[] = []
  readonly lists: Map<string, StoredList>
  readonly confirmations = new Map<string, Confirmation>()
  readonly effects: Effect[] = []
  readonly waiting: Waiting[] = []
  /** By their names. */
  readonly metrics = new Map<string, StoredMetric>()
  /** By their slots. */
  readonly mappings = new Map<string, Mapping>()
  readonly #eventByKey = new Map<string, StoredEvent>()
  readonly #now: () => number
  readonly #newId: () => string

  constructor({ now, newId, lists }: AccountParts) {
    this.#now = now
    this.#newId = newId
    this.book = new ProfileBook({ now, newId })
    this.catalog = new Catalog({ now, newId, onRestock: (variant) => this.#tell(variant) })
    this.coupons = new Coupons({ now, newId })
    this.lists = new Map(
      lists.map((seed) => [seed.id, { ...seed, createdAt: now(), members: new Map() }]),
    )
  }

  /** Only the first of a unique id for a profile and metric is recorded. */
  recordEvent(profileInput: ProfileInput, input: EventInput, receivedAt: number): void {
    const profile = this.book.saveForEvent(profileInput)
    const metric = input.metric.data.attributes.name
    const posted = typeof input.time === 'string' ? readDateTime(input.time) : undefined
    const time = Math.floor((posted ?? receivedAt) / 1000) * 1000
    const uniqueId = input.unique_id ?? String(time / 1000)
    const key = JSON.stringify([profile.id, metric, uniqueId])
    const earlier = this.#eventByKey.get(key)
    if (earlier) {
      earlier.arrivals += 1
      return
    }
    const event: StoredEvent = {
      id: this.#newId(),
      profile: profile.id,
      metric,
      uniqueId,
      time,
      receivedAt,
      value: input.value ?? undefined,
      currency: input.value_currency ?? undefined,
      properties: input.properties,
      arrivals: 1,
    }
    this.#eventByKey.set(key, event)
    if (!this.metrics.has(metric)) {
      const createdAt = this.#now()
      this.metrics.set(metric, { id: this.#newId(), name: metric, createdAt })
    }
    this.events.push(event)
    profile.lastEventAt = Math.max(profile.lastEventAt ?? 0, time)
    this.#note(profile, 'event', metric)
  }

  mapMetric(slot: string, mapping: Omit<Mapping, 'updatedAt'>): Mapping {
    const mapped = { ...mapping, updatedAt: this.#now() }
    this.mappings.set(slot, mapped)
    return mapped
  }

  saveProfile(input: ProfileInput): { profile: StoredProfile; isNew: boolean } {
    const saved = this.book.save(input)
    this.#note(saved.profile, 'profile', '')
    return saved
  }

  addToList(list: StoredList, profile: StoredProfile): void {
    if (!list.members.has(profile.id)) list.members.set(profile.id, this.#now())
    this.#note(profile, 'list-add', list.id)
  }

  /**
   * Asks for a confirmation where double opt-in holds, which it does for an account by default when
   * no list is given; otherwise subscribes at once.
   */
  subscribe(
    input: SubscriberInput,
    options: { list: StoredList | undefined; source: string; isHistorical: boolean },
  ): void {
    const { list, source, isHistorical } = options
    const { subscriptions, ...attributes } = input.attributes
    const profile = this.book.saveForEvent({ id: input.id ?? null, attributes })
    profile.suppressions = profile.suppressions.filter(({ reason }) => !LIFTED.has(reason))
    profile.listSuppressions = profile.listSuppressions.filter((each) => each.list !== list?.id)
    const channels = Object.keys(subscriptions) as Channel[]
    this.#note(profile, 'subscribe', list?.id ?? '')
    const optIn = list?.optIn ?? 'double_opt_in'
    if (optIn === 'double_opt_in' && !isHistorical) {
      this.#askToConfirm({ profile: profile.id, list: list?.id, channels, source })
      return
    }
    for (const channel of channels) {
      const posted = subscriptions[channel]?.marketing?.consented_at
      const at = this.#consentedAt(posted)
      profile.consent[channel] = { status: 'SUBSCRIBED', at, isDoubleOptIn: false, source }
    }
    list?.members.set(profile.id, list.members.get(profile.id) ?? this.#now())
  }

  /** Creates the profile if needed. Without a list, or when it is not on the list, all lists are left. */
  unsubscribe(input: SubscriberInput, list: StoredList | undefined): void {
    const { subscriptions, ...attributes } = input.attributes
    const profile = this.book.saveForEvent({ attributes })
    const at = this.#now()
    this.#note(profile, 'unsubscribe', list?.id ?? '')
    const channels = (Object.keys(subscriptions) as Channel[]).filter(
      (channel) => subscriptions[channel]?.marketing,
    )
    if (list?.members.delete(profile.id) && channels.includes('email')) {
      profile.listSuppressions.push({ list: list.id, reason: 'UNSUBSCRIBE', at })
      return
    }
    for (const channel of channels) this.#leave(profile, channel, 'API')
  }

  #leave(profile: StoredProfile, channel: Channel, source: string): void {
    const at = this.#now()
    profile.consent[channel] = { status: 'UNSUBSCRIBED', at, isDoubleOptIn: false, source }
    profile.updatedAt = at
    if (channel !== 'email') return
    for (const { members } of this.lists.values()) members.delete(profile.id)
    profile.suppressions.push({ reason: 'UNSUBSCRIBE', at })
  }

  /** What somebody does who answers STOP to a text message. */
  stopTexts(profileId: string): boolean {
    const profile = this.book.byId(profileId)
    if (profile !== undefined) this.#leave(profile, 'sms', 'STOP')
    return profile !== undefined
  }

  /** Who waits for a variant already goes on waiting, by these channels too. */
  waitForStock(
    input: ProfileInput,
    { variant, channels }: { variant: string; channels: string[] },
  ) {
    const profile = this.book.saveForEvent(input)
    this.#note(profile, 'back-in-stock', variant)
    const open = this.waiting.find(
      (one) => one.profile === profile.id && one.variant === variant && one.toldAt === undefined,
    )
    if (open === undefined) {
      const own = { profile: profile.id, variant, channels: new Set(channels) }
      this.waiting.push({ ...own, arrivals: 1, toldAt: undefined })
      return
    }
    for (const channel of channels) open.channels.add(channel)
    open.arrivals += 1
  }

  #tell(variant: string): void {
    for (const one of this.waiting) if (one.variant === variant) one.toldAt ??= this.#now()
  }

  #askToConfirm(asked: Pick<Confirmation, 'profile' | 'list' | 'channels' | 'source'>): void {
    const id = this.#newId()
    const sentAt = this.#now()
    this.confirmations.set(id, { id, ...asked, sentAt, confirmedAt: undefined })
  }

  #consentedAt(posted: string | null | undefined): number {
    return (typeof posted === 'string' ? readDateTime(posted) : undefined) ?? this.#now()
  }

  /** What a click on the link in the message does. False when there is nothing to confirm. */
  confirm(id: string): boolean {
    const confirmation = this.confirmations.get(id)
    if (!confirmation || confirmation.confirmedAt !== undefined) return false
    const at = this.#now()
    const { channels, source } = confirmation
    confirmation.confirmedAt = at
    const profile = this.book.byId(confirmation.profile)
    if (!profile) return false
    profile.updatedAt = at
    for (const channel of channels) {
      profile.consent[channel] = { status: 'SUBSCRIBED', at, isDoubleOptIn: true, source }
    }
    const list = this.lists.get(confirmation.list ?? '')
    list?.members.set(profile.id, list.members.get(profile.id) ?? at)
    return true
  }

  /** What somebody does who wants no more, or the merchant for them. */
  suppress(profileId: string, reason: SuppressionReason): boolean {
    const profile = this.book.byId(profileId)
    if (!profile) return false
    if (reason === 'UNSUBSCRIBE') {
      this.#leave(profile, 'email', 'unsubscribe link')
      return true
    }
    profile.updatedAt = this.#now()
    profile.suppressions.push({ reason, at: profile.updatedAt })
    return true
  }

  /** Forgets a person and everything that was done for them. */
  erase(profile: StoredProfile): void {
    const { id } = profile
    this.book.remove(profile)
    keepOnly(this.events, (event) => event.profile !== id)
    keepOnly(this.effects, (effect) => effect.profile !== id)
    keepOnly(this.waiting, (one) => one.profile !== id)
    for (const [key, event] of this.#eventByKey) {
      if (event.profile === id) this.#eventByKey.delete(key)
    }
    for (const list of this.lists.values()) list.members.delete(id)
    for (const confirmation of [...this.confirmations.values()]) {
      if (confirmation.profile === id) this.confirmations.delete(confirmation.id)
    }
  }

  #note(profile: StoredProfile, kind: Effect['kind'], detail: string): void {
    this.effects.push({ at: this.#now(), profile: profile.id, kind, detail })
  }
}

/** The lists of the account stay the same arrays, since others hold them. */
function keepOnly<Entry>(entries: Entry[], isKept: (entry: Entry) => boolean): void {
  entries.splice(0, Infinity, ...entries.filter(isKept))
}
