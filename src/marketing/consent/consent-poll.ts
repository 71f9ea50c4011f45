import type { SQL } from 'drizzle-orm'
import { createLocalReq } from 'payload'
import type { Shop } from '../../core/shop.js'
import type { WorkerParts } from '../../core/workers/parts.js'
import type { DeliveryParts } from '../delivery/parts.js'
import { createRest, type Worker } from '../../core/workers/worker.js'
import { markOfKey } from '../klaviyo/ask-api.js'
import { keyFeatures } from '../klaviyo/key-scopes.js'
import type { MarketingSettingsParts } from '../settings/parts.js'
import type { Channel } from '../klaviyo/message.js'
import type { CallOptions, Outcome, Reply } from '../klaviyo/call-answer.js'
import type { KlaviyoParts } from '../klaviyo/parts.js'
import type { ChannelConsent, ProfileConsents } from '../klaviyo/find-consents.js'
import { profileKey } from '../../core/people/profile-key.js'
import type { OptionsOf } from '../../core/options-schema.js'
import type { consentOptions } from './consent-options.js'
import {
  afterPage,
  keepProgress,
  readProgress,
  dailyCheck,
  walkFrom,
  type ConsentProgress,
} from './consent-progress.js'
import type { AccountProfilesParts } from '../accounts/parts.js'
import type { CustomerConsents } from '../accounts/customer-consents.js'

const minute = 60_000
const pollEveryMs = 15 * minute

/** How often the setting is read while it is off. It is cached anyway. */
const lookEveryMs = 5_000

/** Pages in a row, and the pause after them: 120 pages a minute, a sixth of what Klaviyo allows. */
const pagesInARow = 10
const pauseMs = 5_000

const pageSize = 100

/** The most pages of customers in one poll, so that they do not keep unsubscribes waiting. */
const customerPagesOfPoll = 100

/** While this many people wait for the store's hook, no others are read, so that nobody is lost. */
const mostPending = 1_000

/** How many changes of people without an account are remembered, so that none is reported twice. */
const mostRemembered = 20_000

const channels: readonly Channel[] = ['email', 'sms']

interface Poll {
  begunAt: Date
  progress: ConsentProgress
  /** True in a statement while this process delivers. Another process may go on in between. */
  isLeaseHeld: SQL
  readers: PageReader[]
}

/** `done`: it has no next page. */
type PageReader = () => Promise<Page | Wait | 'done'>

interface Page {
  profiles: readonly ProfileConsents[]
  /** Older changes of people without an account are no news. Undefined: everything is reported again. */
  since: Date | undefined
  /** Call it when the page was followed. Returns whether there may be another one. */
  note: () => boolean
}

/** Why the poll stops for now. */
interface Wait {
  /** When it goes on, in milliseconds since 1970. */
  until: number
  /** Whether it begins anew then. */
  beginsAnew: boolean
}

export type ConsentPollNeed = WorkerParts &
  AccountProfilesParts &
  KlaviyoParts &
  MarketingSettingsParts &
  DeliveryParts

export function createConsentPoll(
  shop: Shop<{ marketing: OptionsOf<typeof consentOptions> }>,
  {
    klaviyo,
    deliverer,
    klaviyoSessions,
    marketingSettings,
    customerConsents: customers,
  }: ConsentPollNeed,
): Worker {
  const { payload, options, effects, log } = shop
  const { onConsentChange } = options.marketing
  const remembered = new Set<string>()
  let poll: Poll | undefined
  const rest = createRest(shop)

  async function begin(isLeaseHeld: SQL): Promise<Poll | undefined> {
    rest.for(lookEveryMs)
    const { followUnsubscribes, privateApiKey } = await marketingSettings.get()
    const isOff = klaviyoSessions.areOff(keyFeatures.consents.calls)
    if (!followUnsubscribes || privateApiKey === '' || isOff) return undefined
    const begunAt = effects.now()
    const progress = await readProgress(payload, { key: markOfKey(privateApiKey), now: begunAt })
    // The clock of the process that polled last may be ahead.
    const isDue = Math.abs(begunAt.getTime() - progress.polledAt.getTime()) >= pollEveryMs
    return isDue
      ? { begunAt, progress, isLeaseHeld, readers: readersOf(progress, begunAt) }
      : undefined
  }

  async function goOn(): Promise<void> {
    const isLeaseHeld = deliverer.isLeaseHeld()
    if (isLeaseHeld === undefined || poll?.isLeaseHeld !== isLeaseHeld) poll = undefined
    poll ??= isLeaseHeld && (await begin(isLeaseHeld))
    if (poll === undefined) return
    rest.for(pauseMs)
    for (let page = 0; page < pagesInARow; page++) {
      const [reader] = poll.readers
      if (reader === undefined) {
        const { progress, begunAt } = poll
        poll = undefined
        return keepProgress(payload, { ...progress, polledAt: begunAt })
      }
      const wait = await followNext(poll, reader)
      if (wait !== undefined) {
        rest.until(wait.until)
        if (wait.beginsAnew) poll = undefined
        return
      }
    }
  }

  /** Undefined: go on. */
  async function followNext(current: Poll, reader: PageReader): Promise<Wait | undefined> {
    const { progress, readers } = current
    const page = await reader()
    if (page === 'done') readers.shift()
    else if ('until' in page) return page
    else {
      const failed = await follow(page, current.isLeaseHeld)
      if (!page.note()) readers.shift()
      progress.pending = [...new Set([...progress.pending, ...failed])]
      if (progress.pending.length >= mostPending) readers.length = 0
    }
    await keepProgress(payload, progress)
    return undefined
  }

  function readersOf(progress: ConsentProgress, begunAt: Date): PageReader[] {
    const { pending } = progress
    const retries = Array.from({ length: Math.ceil(pending.length / pageSize) }, (_, index) =>
      retryOf(progress, pending.slice(index * pageSize, (index + 1) * pageSize)),
    )
    if (pending.length >= mostPending) return retries
    const walks = (['suppressed', 'updated'] as const).map((of) => walkOf(progress, of, begunAt))
    return [...retries, ...walks, checkOf(progress, begunAt)]
  }

  const retryOf =
    (progress: ConsentProgress, ids: readonly string[]): PageReader =>
    async () => {
      const asked = await ask((options) =>
        klaviyo.changedConsents({ walk: 'profiles', ids }, options),
      )
      if (!('answer' in asked)) return asked.wait
      const note = () => {
        progress.pending = progress.pending.filter((id) => !ids.includes(id))
        return false
      }
      return { profiles: asked.answer.profiles, since: undefined, note }
    }

  const walkOf =
    (progress: ConsentProgress, of: 'suppressed' | 'updated', begunAt: Date): PageReader =>
    async () => {
      const since = { walk: of, ...walkFrom(progress[of], begunAt) }
      const asked = await ask((options) => klaviyo.changedConsents(since, options))
      if (!('answer' in asked)) {
        // Klaviyo may not know an old page any more.
        if (asked.wait === 'done') progress[of] = { reached: progress[of].reached }
        return asked.wait
      }
      const { profiles, ...page } = asked.answer
      const note = () => {
        progress[of] = afterPage(progress[of], { ...page, from: since.from, begunAt })
        return page.nextPage !== undefined
      }
      return { profiles, since: since.from, note }
    }

  /** Reads customers: new accounts, and changes that the walks do not show, such as texts stopped. */
  function checkOf(progress: ConsentProgress, begunAt: Date): PageReader {
    let pages = 0
    progress.customers = dailyCheck(progress, begunAt)
    return async () => {
      const isDone = customers === undefined || pages === customerPagesOfPoll
      const people = isDone ? [] : await customers.after(progress.customers.behind, pageSize)
      const last = people.at(-1)
      if (last === undefined) return 'done'
      const asked = await ask((options) => klaviyo.findConsents(people, options))
      if (!('answer' in asked)) return asked.wait
      const note = () => {
        pages += 1
        progress.customers = { ...progress.customers, behind: last.id }
        return true
      }
      const profiles = [...new Set(asked.answer.consents.values())]
      return { profiles, since: begunAt, note }
    }
  }

  /** `done` when Klaviyo refuses the question: the other readers go on. */
  async function ask<Result>(
    make: (options: CallOptions) => Reply<Result>,
  ): Promise<{ answer: Result } | { wait: Wait | 'done' }> {
    const answer = await klaviyoSessions.ask({ name: 'find-profiles', items: pageSize, make })
    if (answer === undefined) return { wait: { until: rest.now() + pauseMs, beginsAnew: true } }
    if ('putOffUntil' in answer) {
      // A test of the key may end the wait for a scope before.
      const until = Math.min(answer.putOffUntil, rest.now() + pollEveryMs)
      return { wait: { until, beginsAnew: false } }
    }
    if (!('failed' in answer)) return { answer }
    const { failed } = answer
    log.warn(reasonOf(failed), 'The consents could not be read and will be again')
    if (failed.is === 'refused') return { wait: 'done' }
    const waitMs = failed.is === 'later' ? minute : pollEveryMs
    return { wait: { until: rest.now() + waitMs, beginsAnew: true } }
  }

  /** Resolves to the profiles for which the hook failed. */
  async function follow({ profiles, since }: Page, isLeaseHeld: SQL): Promise<string[]> {
    const found = await customers?.findFollowed(profiles.map(({ address }) => address))
    const failed = new Set<string>()
    for (const profile of profiles) {
      const { email } = profile.address
      const customer = email === undefined ? undefined : found?.get(profileKey({ email }))
      for (const channel of channels) {
        if (!isNews(profile, { channel, customer, since })) continue
        const isDone = await isReported(profile, channel, customer)
        if (!isDone) failed.add(profile.id)
        // The document is written after the hook has run, so that a crash in between repeats both. A profile
        // that is read again is pending anyway, so its document need not wait for the hook.
        if (customer && (isDone || since === undefined)) {
          await customers?.write(customer.id, { channel, consent: profile[channel], isLeaseHeld })
        }
      }
    }
    return [...failed]
  }

  function isNews(
    profile: ProfileConsents,
    about: { channel: Channel; customer: CustomerConsents | undefined; since: Date | undefined },
  ): boolean {
    const { channel, customer, since } = about
    const atKlaviyo = profile[channel]
    if (atKlaviyo.status === 'never') return false
    if (since === undefined) return true
    if (customer !== undefined) return isChange(customer[channel], atKlaviyo)
    // Most updates of a profile are not about its consents.
    if (atKlaviyo.since !== undefined && atKlaviyo.since < since) return false
    const key = [profile.id, channel, atKlaviyo.status, atKlaviyo.since?.getTime()].join(':')
    if (remembered.has(key)) return false
    if (remembered.size >= mostRemembered) remembered.clear()
    remembered.add(key)
    return true
  }

  /** False when the store's hook throws. */
  async function isReported(
    { address, ...consents }: ProfileConsents,
    channel: Channel,
    customer: CustomerConsents | undefined,
  ): Promise<boolean> {
    const { status, since, source } = consents[channel]
    if (onConsentChange === undefined || status === 'never') return true
    const about = customer && { customerId: customer.id }
    try {
      const req = await createLocalReq({}, payload)
      await onConsentChange({ ...address, channel, status, since, source, ...about, req })
      return true
    } catch (error) {
      log.error(
        { err: error, channel, ...about },
        'onConsentChange failed and will be called again',
      )
      return false
    }
  }

  return {
    name: 'consents',
    next: () => rest.next(goOn),
  }
}

/** A profile that was never asked changes nothing: who has left is still gone when the profile is made again. */
const isChange = (stored: ChannelConsent, atKlaviyo: ChannelConsent): boolean =>
  atKlaviyo.status !== 'never' &&
  (stored.status !== atKlaviyo.status || stored.since?.getTime() !== atKlaviyo.since?.getTime())

const reasonOf = (failed: Outcome) =>
  'error' in failed ? { code: failed.error.code, status: failed.error.status } : {}
