import { expect } from 'vitest'
import type { KlaviyoStandIn } from '../../../../dev/klaviyo/stand-in.ts'
import type { Figures } from '../../../support/figures-reporter.js'
import type { StoredSend } from '../../../support/stored-sends.js'
import { lists, type Post } from './visitors.js'

interface Outcome {
  state: KlaviyoStandIn['state']
  posts: readonly Post[]
  sends: readonly StoredSend[]
}

/**
 * Compares what was answered to visitors with what the platform has. That no call is refused by the
 * limits is for tests on a clock of their own: on this one, calls arrive when the machine lets them.
 */
export function expectEffects(outcome: Outcome, context: string): void {
  expect(summaryOf(outcome), context).toEqual({
    lost: [],
    doubled: [],
    neverPosted: [],
    outOfOrder: [],
    olderProfiles: [],
    notInList: [],
    sentAgainWithoutReason: [],
    askedAgainWithoutReason: [],
    failed: [],
  })
}

/** What can be reported at any time, for the reporter of the tests. */
export function figuresOf(state: Outcome['state'], posts: Outcome['posts']): Figures {
  const { outOfOrder, olderProfiles } = ofOrder({ state, posts })
  const { lost, doubled } = ofEvents({ state, posts })
  const answered = posts.filter(({ isAnswered }) => isAnswered).length
  return {
    'posts answered': answered,
    'posts not answered': posts.length - answered,
    'calls of the platform': state.calls.length,
    'events that arrived again': state.events.filter(({ arrivals }) => arrivals > 1).length,
    'calls refused (429)': state.throttled,
    'people asked twice for a confirmation': confirmationsOf(state).filter(([, count]) => count > 1)
      .length,
    lost: lost.length,
    doubled: doubled.length,
    inversions: outOfOrder.length + olderProfiles.length,
  }
}

function summaryOf(outcome: Outcome) {
  return {
    ...ofEvents(outcome),
    ...ofOrder(outcome),
    ...ofLists(outcome),
    ...ofRepeats(outcome),
    failed: outcome.sends.filter(({ state: is }) => is !== 'sent'),
  }
}

type Arrived = Omit<Outcome, 'sends'>

function ofEvents({ state, posts }: Arrived) {
  const events = posts.filter(({ uniqueId }) => uniqueId !== undefined)
  const posted = new Set(events.map(({ uniqueId }) => uniqueId))
  const recorded = new Map<string, number>()
  for (const { uniqueId } of state.events) recorded.set(uniqueId, (recorded.get(uniqueId) ?? 0) + 1)
  const answered = posts.filter(({ isAnswered }) => isAnswered)
  return {
    lost: answered
      .filter(({ uniqueId }) => uniqueId !== undefined && !recorded.has(uniqueId))
      .map(({ uniqueId }) => uniqueId),
    doubled: [...recorded].filter(([, count]) => count > 1),
    neverPosted: [...recorded.keys()].filter((id) => !posted.has(id)),
  }
}

/** Events in the order of their posts, and at the end what the last post said. */
function ofOrder({ state, posts }: Arrived) {
  const steps = new Map(posts.map(({ uniqueId, step }) => [uniqueId, step]))
  const lastEvent = new Map<string, number>()
  const outOfOrder: string[] = []
  for (const { profile, uniqueId } of state.events) {
    const step = steps.get(uniqueId) ?? 0
    if (step < (lastEvent.get(profile) ?? 0)) outOfOrder.push(uniqueId)
    lastEvent.set(profile, step)
  }

  const last = new Map<string, { answered: number; posted: number }>()
  for (const { email, step, isAnswered } of posts) {
    const { answered = 0 } = last.get(email) ?? {}
    last.set(email, { answered: isAnswered ? step : answered, posted: step })
  }
  const olderProfiles = [...last].flatMap(([email, { answered, posted }]) => {
    const shown = Number(state.profileByEmail(email)?.properties.step ?? 0)
    const isNewest = shown === answered || shown === posted
    return isNewest ? [] : [{ email, answered, posted, shown }]
  })
  return { outOfOrder, olderProfiles }
}

function ofLists({ state, posts }: Arrived) {
  const wanted = posts.filter(({ isAnswered, list }) => isAnswered && list !== undefined)
  const asked = new Set([...state.confirmations.values()].map(({ profile }) => profile))
  const isThere = ({ email, list = '' }: Post): boolean => {
    const { id = '', consent = {} } = state.profileByEmail(email) ?? {}
    if (list === lists.double) return asked.has(id)
    const isMember = state.lists.get(list)?.members.has(id) === true
    return list === lists.single ? isMember && consent.email?.status === 'SUBSCRIBED' : isMember
  }
  return { notInList: wanted.filter((post) => !isThere(post)) }
}

/**
 * A call whose answer went down with its worker, or on the way, is made again, and no other: the
 * platform knows the event by its id, and may ask for a confirmation once more.
 */
function ofRepeats({ state, sends }: Outcome) {
  const ofEvent = new Map(sends.map((send) => [send.uniqueId, send]))
  const troubled = new Set(
    sends
      .filter(({ hadTrouble, kind }) => hadTrouble && kind === 'subscribe')
      .map((send) => send.profile),
  )
  return {
    sentAgainWithoutReason: state.events
      .filter(
        ({ arrivals, uniqueId }) => arrivals > 1 && ofEvent.get(uniqueId)?.hadTrouble !== true,
      )
      .map(({ arrivals, uniqueId }) => ({ arrivals, send: ofEvent.get(uniqueId) })),
    askedAgainWithoutReason: confirmationsOf(state).filter(
      ([email, count]) => count > 1 && !troubled.has(email),
    ),
  }
}

/** How often each profile was asked for a confirmation. */
function confirmationsOf(state: Outcome['state']): [profile: string, count: number][] {
  const asked = new Map<string, number>()
  for (const { profile } of state.confirmations.values()) {
    const email = `email:${state.profiles.get(profile)?.attributes.email}`
    asked.set(email, (asked.get(email) ?? 0) + 1)
  }
  return [...asked]
}
