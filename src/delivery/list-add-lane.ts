import type { ListAddMessage } from '../marketing/message.js'
import type {
  CallOptions,
  FoundProfiles,
  MarketingPlatform,
  Outcome,
  PlatformError,
} from '../marketing/platform.js'
import type { Slot } from './call-budget.js'
import { foldByPerson, type CallItem } from './call-item.js'
import { createLane, type LaneParts, type LaneRun } from './lane.js'
import { asAnswer } from './platform-call.js'
import { sendTogether } from './send-items.js'
import type { Worker } from './worker.js'

type Item = CallItem<ListAddMessage>

/** Leaves time for the call that adds, within the same lease. */
const longestLookUpMs = 3_000

/** interface.md, Events, List add: "if the platform has none when the job runs, none is created". */
export const profileNotFound: PlatformError = {
  code: 'PROFILE_NOT_FOUND',
  detail: 'The platform has no profile with this email. None was created.',
}

/** Profiles that are added to lists, those of one list in a call. */
export function createListAddLane(platform: MarketingPlatform, parts: LaneParts): Worker {
  const { calls, budget, bounds } = parts

  /** The profile has just been made: an import adds it, and makes no other. */
  const importKnown = (run: LaneRun, items: Item[]): Promise<void> => {
    // The email alone: the import is asynchronous, and must not bring older values back.
    const profiles = items.map(({ message }) => emailOnly(message))
    const list = listOf(items)
    const make = (options: CallOptions) => platform.importProfiles(profiles, { ...options, list })
    return sendTogether(calls, run, { items, make })
  }

  const addFound = async (run: LaneRun, items: Item[]): Promise<void> => {
    const batches = inBatches(items, bounds.calls['find-profiles'].items)
    const look = await budget.look('find-profiles', run.apiKey)
    const slots = await look.take(batches.length)
    const waiting = batches.slice(slots.length).flat()
    run.giveBack(
      waiting.flatMap(({ sends }) => sends),
      new Date(look.room.nextAt),
    )
    const looked = await Promise.all(
      slots.map((slot, index) => lookUp(run, { items: batches[index] ?? [], slot })),
    )
    const found = looked.flat()
    const ids = found.map(({ id }) => id)
    const list = listOf(items)
    const make = (options: CallOptions) => platform.addToList(ids, { ...options, list })
    await sendTogether(calls, run, { items: found.map(({ item }) => item), make })
  }

  /** The ids of those that are there; the others are settled. */
  const lookUp = async (
    run: LaneRun,
    { items, slot }: { items: Item[]; slot: Slot },
  ): Promise<{ item: Item; id: string }[]> => {
    const emails = items.map(({ message }) => emailOf(message))
    let ids: FoundProfiles['ids'] | undefined
    const answer = await calls.make({
      slot,
      apiKey: run.apiKey,
      leaseUntil: run.claim.leaseUntil,
      items: items.length,
      longestMs: longestLookUpMs,
      async make(options) {
        const result = await platform.findProfiles(emails, options)
        if ('failed' in result) return asAnswer(result.failed, result.rate)
        ids = result.ids
        return asAnswer({ is: 'delivered' }, result.rate)
      },
    })
    if (answer === undefined) {
      run.giveBack(items.flatMap(({ sends }) => sends))
      return []
    }
    await calls.report([slot], [answer])
    const failure = answer.outcomes[0]
    const found: { item: Item; id: string }[] = []
    for (const item of items) {
      const id = ids?.get(emailOf(item.message))
      if (id !== undefined) found.push({ item, id })
      else if (ids !== undefined) run.settle(item, { is: 'skipped', error: profileNotFound }, 1)
      else if (failure) run.settle(item, ofOne(failure, items.length), items.length)
    }
    return found
  }

  return createLane(
    {
      lane: 'list-adds',
      many: ({ isProfileKnown }) =>
        isProfileKnown === true
          ? { call: 'profiles', full: bounds.calls.profiles.items }
          : { call: 'list-members', full: bounds.calls['list-members'].items },
      run(run) {
        const items = foldByPerson<ListAddMessage>(run.claim.sends, (_, later) => later)
        return run.group.isProfileKnown === true ? importKnown(run, items) : addFound(run, items)
      },
    },
    parts,
  )
}

const emailOf = ({ profile }: ListAddMessage): string => profile.email?.toLowerCase() ?? ''

const emailOnly = (message: ListAddMessage) => ({ email: message.profile.email ?? '' })

const listOf = (items: readonly Item[]): string => items[0]?.message.list ?? ''

/** A look-up that is refused does not say whose email was bad. */
const ofOne = (outcome: Outcome, itemsInCall: number): Outcome =>
  outcome.is === 'refused' && itemsInCall > 1 ? { is: 'suspect', error: outcome.error } : outcome

function inBatches<T>(all: readonly T[], size: number): T[][] {
  const batches: T[][] = []
  for (let start = 0; start < all.length; start += size) {
    batches.push(all.slice(start, start + size))
  }
  return batches
}
