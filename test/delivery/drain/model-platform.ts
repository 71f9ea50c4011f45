import type { Message, SubscribeMessage } from '../../../src/klaviyo/message.js'
import { mergeKey } from '../../../src/delivery/call-item.js'
import type {
  CallAnswer,
  CallName,
  CallOptions,
  MarketingPlatform,
  Outcome,
  PlatformBounds,
} from '../../../src/klaviyo/platform.js'
import type { Profile } from '../../../src/klaviyo/profile.js'
import { klaviyoBounds } from '../../../src/klaviyo/limits.js'

/** A call as it arrived. */
export interface ModelCall {
  name: CallName
  at: number
  items: number
  status: 'taken' | 'refused' | 'failed' | 'throttled' | 'unauthorized'
}

/** Something that took effect, in the order it did. */
export interface Effect {
  person: string
  what: string
}

/** What is wrong with a call; undefined when nothing is. */
export type Trouble = (call: {
  name: CallName
  profiles: readonly Profile[]
  messages: readonly Message[]
  at: number
}) => Outcome | undefined

/**
 * The platform as the drain knows it: takes effect, records an event once, counts calls in fixed
 * windows, and answers a whole batch with the error that the test sets.
 */
export class ModelPlatform implements MarketingPlatform {
  readonly calls: ModelCall[] = []
  readonly effects: Effect[] = []
  readonly members = new Map<string, Set<string>>()
  readonly profiles = new Map<string, Profile>()
  apiKey = 'key'
  trouble: Trouble = () => undefined
  /** Resolves before a call is looked at: holds it. */
  arrive: (name: CallName) => Promise<void> = () => Promise.resolve()
  /** Resolves before an answer is given: holds it. */
  leave: (name: CallName) => Promise<void> = () => Promise.resolve()
  readonly #events = new Set<string>()
  readonly #windows = new Map<string, number>()
  #jobs = 0

  constructor(
    readonly now: () => number,
    readonly bounds: PlatformBounds = klaviyoBounds,
    readonly phase = 12_345,
  ) {}

  trackEvent: MarketingPlatform['trackEvent'] = (event, options) =>
    this.#events_('event', [event], options)

  trackEvents: MarketingPlatform['trackEvents'] = (events, options) =>
    this.#events_('events', events, options)

  saveProfile: MarketingPlatform['saveProfile'] = (profile, options) =>
    this.#take('profile', { profiles: [profile], options }, () => this.#save(profile))

  importProfiles: MarketingPlatform['importProfiles'] = async (profiles, options) => {
    const answer = await this.#take('profiles', { profiles, options }, () => {
      for (const profile of profiles) {
        if (options.list === undefined) this.#save(profile)
        else this.#add(options.list, profile)
      }
    })
    const job = `job ${++this.#jobs}`
    const outcomes = answer.outcomes.map((outcome) =>
      outcome.is === 'delivered' ? { ...outcome, job } : outcome,
    )
    return { ...answer, outcomes }
  }

  subscribe: MarketingPlatform['subscribe'] = (messages, options) => {
    const profiles = messages.map(({ profile }) => profile)
    return this.#take('subscribe', { profiles, messages, options }, () => {
      for (const { list, profile } of messages) this.#add(list, profile)
    })
  }

  unsubscribe: MarketingPlatform['unsubscribe'] = (messages, options) => {
    const profiles = messages.map(({ profile }) => profile)
    return this.#take('unsubscribe', { profiles, messages, options }, () => {
      for (const { profile } of messages) {
        for (const members of this.members.values()) members.delete(mergeKey(profile))
      }
    })
  }

  /** Nobody has left. */
  findConsents: MarketingPlatform['findConsents'] = async (profiles, options) => {
    await this.#take('find-profiles', { profiles, options }, () => undefined)
    return { consents: new Map() }
  }

  changedConsents: MarketingPlatform['changedConsents'] = () =>
    Promise.resolve({ profiles: [], readUntil: undefined })

  findProfiles: MarketingPlatform['findProfiles'] = async (emails, options) => {
    const answer = await this.#take('find-profiles', { profiles: [], options }, () => undefined)
    const [outcome] = answer.outcomes
    if (outcome?.is === 'later' || outcome?.is === 'refused' || outcome?.is === 'misconfigured') {
      return { failed: outcome }
    }
    const found = emails.filter((email) => this.profiles.has(email))
    return { ids: new Map(found.map((email) => [email, `id of ${email}`])) }
  }

  findSubscribed: MarketingPlatform['findSubscribed'] = async (messages, options) => {
    const answer = await this.#take('find-subscribed', { profiles: [], options }, () => undefined)
    const [outcome] = answer.outcomes
    if (outcome?.is === 'later' || outcome?.is === 'refused' || outcome?.is === 'misconfigured') {
      return { failed: outcome }
    }
    const isMember = ({ list, profile }: SubscribeMessage) =>
      this.members.get(list)?.has(mergeKey(profile)) === true
    return { subscribed: new Set(messages.filter(isMember)) }
  }

  addToList: MarketingPlatform['addToList'] = (ids, options) => {
    const profiles = ids.map((id) => ({ email: id.replace('id of ', '') }))
    return this.#take('list-members', { profiles, options }, () => {
      for (const profile of profiles) this.#add(options.list, profile)
    })
  }

  deleteProfile: MarketingPlatform['deleteProfile'] = (profile, options) =>
    this.#take('delete-profile', { profiles: [profile], options }, () => {
      this.profiles.delete(mergeKey(profile))
      this.effects.push({ person: mergeKey(profile), what: 'deleted' })
    })

  importJob: MarketingPlatform['importJob'] = async (_job, options) => {
    const answer = await this.#take('import-job', { profiles: [], options }, () => undefined)
    const [outcome] = answer.outcomes
    return outcome?.is === 'later' ? { failed: outcome } : { isComplete: true, failedCount: 0 }
  }

  importErrors: MarketingPlatform['importErrors'] = () => Promise.resolve({ errors: [] })

  lists: MarketingPlatform['lists'] = () => Promise.resolve({ lists: [], isComplete: true })

  checkAccount: MarketingPlatform['checkAccount'] = () =>
    Promise.resolve({ accountName: 'Model', missingScopes: [] })

  count(status: ModelCall['status']): number {
    return this.calls.filter((call) => call.status === status).length
  }

  #events_(
    name: 'event' | 'events',
    dispatches: Parameters<MarketingPlatform['trackEvents']>[0],
    options: CallOptions,
  ): Promise<CallAnswer> {
    const messages = dispatches.map(({ message }) => message)
    const profiles = messages.map(({ profile }) => profile)
    return this.#take(name, { profiles, messages, options }, () => {
      for (const { profile, event } of messages) {
        this.#save(profile)
        const id = `${mergeKey(profile)} ${event.name} ${event.uniqueId}`
        if (this.#events.has(id)) continue
        this.#events.add(id)
        this.effects.push({ person: mergeKey(profile), what: event.uniqueId })
      }
    })
  }

  async #take(
    name: CallName,
    call: { profiles: readonly Profile[]; messages?: readonly Message[]; options: CallOptions },
    act: () => void,
  ): Promise<CallAnswer> {
    const { profiles, messages = [], options } = call
    await this.arrive(name)
    const items = Math.max(1, profiles.length)
    const at = this.now()
    const answer = (outcome: Outcome, status: ModelCall['status']): CallAnswer => {
      this.calls.push({ name, at, items, status })
      return { outcomes: Array.from({ length: items }, () => outcome) }
    }
    if (options.signal.aborted) return answer(networkDown, 'failed')
    if (options.apiKey !== this.apiKey) return answer(wrongKey, 'unauthorized')
    const retryAfterSeconds = this.#countCall(name, at)
    if (retryAfterSeconds > 0) {
      return { ...answer(throttled(retryAfterSeconds), 'throttled'), rate: { retryAfterSeconds } }
    }
    const trouble = this.trouble({ name, profiles, messages, at })
    if (trouble !== undefined) {
      const given = answer(trouble, trouble.is === 'later' ? 'failed' : 'refused')
      const retryAfter = trouble.is === 'later' && !trouble.costsAttempt ? trouble.afterSeconds : 0
      return retryAfter ? { ...given, rate: { retryAfterSeconds: retryAfter } } : given
    }
    act()
    await this.leave(name)
    return answer({ is: 'delivered' }, 'taken')
  }

  /** Seconds to wait; 0 when there is room in both fixed windows. */
  #countCall(name: CallName, at: number): number {
    const { burst, steady } = this.bounds.calls[name]
    const windows = [
      { ms: 1_000, limit: burst },
      { ms: 60_000, limit: steady },
    ].map(({ ms, limit }) => {
      const key = `${name} ${ms} ${Math.floor((at + this.phase) / ms)}`
      return { key, limit, ms, used: this.#windows.get(key) ?? 0 }
    })
    const full = windows.find(({ used, limit }) => used >= limit)
    if (full) return Math.ceil((full.ms - ((at + this.phase) % full.ms)) / 1000)
    for (const { key, used } of windows) this.#windows.set(key, used + 1)
    return 0
  }

  #save(profile: Profile): void {
    const person = mergeKey(profile)
    this.profiles.set(person, { ...this.profiles.get(person), ...profile })
    const step = profile.properties?.step
    if (step !== undefined) this.effects.push({ person, what: `step ${JSON.stringify(step)}` })
  }

  #add(list: string, profile: Profile): void {
    const members = this.members.get(list) ?? new Set()
    this.members.set(list, members.add(mergeKey(profile)))
  }
}

export const networkDown: Outcome = {
  is: 'later',
  error: { code: 'NETWORK', detail: 'No answer.' },
  costsAttempt: true,
}

const wrongKey: Outcome = {
  is: 'misconfigured',
  error: { code: 'not_authenticated', detail: 'Wrong key.', status: 401 },
}

const throttled = (afterSeconds: number): Outcome => ({
  is: 'later',
  error: { code: 'throttled', detail: 'Too many calls.', status: 429 },
  afterSeconds,
  costsAttempt: false,
})
