import { createLocalReq, type BasePayload } from 'payload'
import { z } from 'zod'
import type { Log } from '../database/log.js'
import { readStored, storedMoment } from '../database/stored-value.js'
import type { Clock } from '../delivery/clock.js'
import type { Deliverer } from '../delivery/deliverer.js'
import type { Step, Worker } from '../delivery/worker.js'
import type { ConsentsSince, ProfileConsents } from '../klaviyo/profile-consents.js'
import type { MarketingSettings } from '../klaviyo/marketing-settings.js'
import type { Channel } from '../klaviyo/message.js'
import type { MarketingPlatform, Outcome } from '../klaviyo/platform.js'
import { profileKey } from '../klaviyo/profile.js'
import { isChange, type ConsentHooks } from './consent-change.js'
import type { CustomerConsentStore, CustomerConsents } from './customer-consents.js'

const minute = 60_000
const pollEveryMs = 15 * minute

/** How often the setting is looked at while it is off. It is cached anyway. */
const lookEveryMs = 5_000

/** How far back each walk begins again: Klaviyo may list a change a little later. */
const overlapMs = 20 * minute

/** Pages in a row, and the pause behind them: 120 pages a minute, a sixth of what Klaviyo allows. */
const pagesInARow = 10
const pauseMs = 5_000

const idsOfPage = 100

/** While this many people wait for the store's hook, no others are read, so that nobody is lost. */
const mostPending = 1_000

/** How many changes of people without an account are remembered, not to report them twice. */
const mostRemembered = 20_000

const channels: readonly Channel[] = ['email', 'sms']

const stateSchema = z.object({
  suppressed: storedMoment,
  updated: storedMoment,
  polledAt: storedMoment,
  /** Klaviyo's ids of the profiles for which the hook failed. */
  pending: z.array(z.string()),
})

type State = z.output<typeof stateSchema>

const place = 'storeconnect:consents'

interface ConsentPollParts {
  payload: BasePayload
  platform: Pick<MarketingPlatform, 'changedConsents'>
  deliverer: Pick<Deliverer, 'ask'>
  settings: () => Promise<MarketingSettings>
  /** Undefined in a store whose customers have no consents. */
  customers: CustomerConsentStore | undefined
  hooks: ConsentHooks
  clock: Clock
  log: Log
}

interface Poll {
  begunAt: Date
  state: State
  /** What is still to be read, the next part first. */
  parts: ConsentsSince[]
}

/** Makes the consents of customers follow Klaviyo every fifteen minutes. */
export function createConsentPoll(parts: ConsentPollParts): Worker {
  const { payload, platform, deliverer, settings, customers, hooks, clock, log } = parts
  const remembered = new Set<string>()
  let poll: Poll | undefined
  let restUntil = 0
  let isWorking = false

  const now = () => clock.now().getTime()

  async function begin(): Promise<Poll | undefined> {
    if (!(await settings()).followUnsubscribes) {
      restUntil = now() + lookEveryMs
      return undefined
    }
    const begunAt = clock.now()
    const stored = await readStored(payload, place, stateSchema)
    const state = stored ?? firstState(begunAt)
    const dueAt = state.polledAt.getTime() + pollEveryMs
    if (dueAt > now()) {
      restUntil = Math.min(dueAt, now() + lookEveryMs)
      return undefined
    }
    return { begunAt, state, parts: partsOf(state) }
  }

  /** Reads up to ten pages, each behind what is stored. */
  async function goOn(): Promise<void> {
    restUntil = now() + pauseMs
    poll ??= await begin()
    for (let page = 0; page < pagesInARow && poll !== undefined; page++) {
      const [part] = poll.parts
      if (part === undefined) return end(poll)
      const rest = await readPage(poll, part)
      if (rest !== undefined) {
        restUntil = rest.until
        if (rest.isOver) poll = undefined
        return
      }
    }
  }

  async function end({ state, begunAt }: Poll): Promise<void> {
    poll = undefined
    await keep({ ...state, polledAt: begunAt })
  }

  const keep = ({ suppressed, updated, polledAt, pending }: State): Promise<void> =>
    payload.kv.set(place, {
      suppressed: suppressed.toISOString(),
      updated: updated.toISOString(),
      polledAt: polledAt.toISOString(),
      pending,
    })

  /** Undefined when the page was read and its changes are stored. */
  async function readPage(
    { state, begunAt, parts: left }: Poll,
    part: ConsentsSince,
  ): Promise<{ until: number; isOver: boolean } | undefined> {
    const answer = await deliverer.ask({
      name: 'find-profiles',
      items: idsOfPage,
      make: (options) => platform.changedConsents(part, options),
    })
    if (answer === undefined) return { until: now() + pauseMs, isOver: false }
    if ('putOffUntil' in answer) return { until: answer.putOffUntil, isOver: false }
    if ('failed' in answer) {
      log.warn(reasonOf(answer.failed), 'The consents could not be read and will be again')
      const waitMs = answer.failed.is === 'later' ? minute : pollEveryMs
      return { until: now() + waitMs, isOver: true }
    }
    const failed = await follow(answer.profiles, part)
    left.shift()
    if (part.walk === 'profiles') {
      state.pending = state.pending.filter((id) => !part.ids.includes(id))
    } else if (answer.nextPage === undefined) state[part.walk] = begunAt
    else {
      left.unshift({ ...part, page: answer.nextPage })
      state[part.walk] = answer.readUntil ?? state[part.walk]
    }
    state.pending = [...new Set([...state.pending, ...failed])]
    if (state.pending.length >= mostPending) left.length = 0
    await keep(state)
    return undefined
  }

  /** Brings the customers' documents up to date. Resolves to the profiles for which the hook failed. */
  async function follow(
    profiles: readonly ProfileConsents[],
    part: ConsentsSince,
  ): Promise<string[]> {
    const found = await customers?.find(profiles.map(({ address }) => address))
    const failed = new Set<string>()
    for (const profile of profiles) {
      const { email } = profile.address
      const customer = email === undefined ? undefined : found?.get(profileKey({ email }))
      for (const channel of channels) {
        if (!isNews(profile, { channel, customer, part })) continue
        const isDone = await isReported(profile, channel, customer)
        if (!isDone) failed.add(profile.id)
        // The document comes after the hook, so that a crash in between repeats both. A profile that is
        // read again is noted as pending, so its document need not wait any longer.
        if (customer && (isDone || part.walk === 'profiles')) {
          await customers?.write(customer.id, channel, profile[channel])
        }
      }
    }
    return [...failed]
  }

  function isNews(
    profile: ProfileConsents,
    about: { channel: Channel; customer: CustomerConsents | undefined; part: ConsentsSince },
  ): boolean {
    const { channel, customer, part } = about
    const told = profile[channel]
    if (told.status === 'never') return false
    if (part.walk === 'profiles') return true
    if (customer !== undefined) return isChange(customer[channel], told)
    // Most updates of a profile are not about its consents.
    if (told.since !== undefined && told.since < part.from) return false
    const key = [profile.id, channel, told.status, told.since?.getTime()].join(':')
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
    if (hooks.onConsentChange === undefined || status === 'never') return true
    const about = customer && { customerId: customer.id }
    try {
      const req = await createLocalReq({}, payload)
      await hooks.onConsentChange({ ...address, channel, status, since, source, ...about, req })
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
    next(): Promise<Step> {
      if (isWorking) return Promise.resolve({ nextAt: undefined })
      if (now() < restUntil) return Promise.resolve({ nextAt: new Date(restUntil) })
      isWorking = true
      return Promise.resolve({ run: () => goOn().finally(() => (isWorking = false)) })
    },
  }
}

/** Only what the log may have. */
const reasonOf = (failed: Outcome) =>
  'error' in failed ? { code: failed.error.code, status: failed.error.status } : {}

/** The first walk finds everybody who has left, but only updates from now on. */
const firstState = (now: Date): State => ({
  suppressed: new Date(0),
  updated: now,
  polledAt: new Date(0),
  pending: [],
})

function partsOf({ suppressed, updated, pending }: State): ConsentsSince[] {
  const ids = Array.from({ length: Math.ceil(pending.length / idsOfPage) }, (_, index) =>
    pending.slice(index * idsOfPage, (index + 1) * idsOfPage),
  )
  const retries = ids.map((some): ConsentsSince => ({ walk: 'profiles', ids: some }))
  if (pending.length >= mostPending) return retries
  const from = (at: Date) => new Date(Math.max(0, at.getTime() - overlapMs))
  return [
    ...retries,
    { walk: 'suppressed', from: from(suppressed) },
    { walk: 'updated', from: from(updated) },
  ]
}
