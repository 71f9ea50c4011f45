import { isDeepStrictEqual } from 'node:util'
import { groupBy } from '../../core/group-by.js'
import type { Message } from '../klaviyo/message.js'
import { mergeProfiles, type Profile } from '../klaviyo/profile.js'
import { mergeKey, type CallItem } from './call-item.js'
import type { DeliveryStore } from './delivery-store.js'
import { isRepeat, type Send } from './send.js'
import type { SendValues } from './sends-of-people.js'

/**
 * A send that is sent again gets the newest values of its profile: a later send of a lost call may have
 * set them, and when a merchant resends it, later sends surely have.
 */
export async function withNewestProfiles<Kind extends Message>(
  items: readonly CallItem<Kind>[],
  store: Pick<DeliveryStore, 'readRepeats' | 'readSentAfter'>,
): Promise<readonly CallItem<Kind>[]> {
  const firstIds = new Map<string, number>()
  for (const { id, profile } of items.flatMap(({ sends }) => sends).filter(isRepeat)) {
    firstIds.set(profile, Math.min(id, firstIds.get(profile) ?? id))
  }
  if (firstIds.size === 0) return items
  const repeats = await store.readRepeats([...firstIds.keys()])
  const sent = await store.readSentAfter([...firstIds].map(([profile, id]) => ({ profile, id })))
  const withSent = withLaterValues(items, sent, () => false)
  const newest = withLaterValues(items, [...sent, ...repeats], isRepeat)
  return newest.map((item, place) => {
    const withoutRepeats = withSent[place]?.message
    const isSame = isDeepStrictEqual(item.message.profile, withoutRepeats?.profile)
    return withoutRepeats === undefined || isSame ? item : { ...item, withoutRepeats }
  })
}

/**
 * Gives each repeat the values of its person that came later, in the order of the sends.
 *
 * @param others Values of sends that are not in these items.
 * @param isForOthers Whether earlier items get the values of a send in a later item.
 */
function withLaterValues<Kind extends Message>(
  items: readonly CallItem<Kind>[],
  others: readonly SendValues[],
  isForOthers: (send: Send) => boolean,
): CallItem<Kind>[] {
  const sorted = others.toSorted((first, second) => first.id - second.id)
  const othersOf = groupBy(sorted, ({ profile }) => mergeKey(profile))
  // From the last item to the first, so that each value is merged once.
  const laterOf = new Map<string, Profile>()
  const newest = items.toReversed().map((item) => {
    const key = mergeKey(item.message.profile)
    let ofItem = laterOf.get(key)
    for (const send of item.sends.toReversed()) {
      for (const { profile } of takeLast(othersOf.get(key), send.id)) {
        ofItem = inFrontOf(ofItem, profile)
        laterOf.set(key, inFrontOf(laterOf.get(key), profile))
      }
      const { profile } = send.message
      ofItem = inFrontOf(ofItem, profile)
      if (isForOthers(send)) laterOf.set(key, inFrontOf(laterOf.get(key), profile))
    }
    if (!ofItem || !item.sends.some(isRepeat)) return item
    return { ...item, message: { ...item.message, profile: ofItem } }
  })
  return newest.toReversed()
}

/** Takes out the values that came after a send, the last first. */
const takeLast = (values: SendValues[] = [], id: number): SendValues[] =>
  values.splice(values.findLastIndex((one) => one.id <= id) + 1).reverse()

const inFrontOf = (later: Profile = {}, profile: Profile): Profile => mergeProfiles(profile, later)
