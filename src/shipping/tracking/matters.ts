import {
  gone,
  matterRows,
  open,
  sinceOf,
  watchedSection,
  watchedSetting,
  type MatterState,
} from '../../core/matter.js'
import { countSetting } from '../../core/payload/setting-kinds.js'
import { parcelStates, type ParcelState } from '../../shop/orders/parcel-state.js'
import type { WatchedParcels } from './watched-parcels.js'

const dayMs = 24 * 60 * 60_000

/** An older report no longer counts: nobody waits for its parcel any more. */
const furthestBackDays = 60

const row = matterRows<WatchedParcels>()

const place = {
  of: 'ShipStation',
  adminPath: '/collections/shipping-notices',
  show: 'overviewShow',
} as const

const failed: readonly ParcelState[] = ['lost', 'returning']
const ended: readonly ParcelState[] = [...failed, 'cancelled', 'delivered']
const onTheWay = parcelStates.filter((state) => !ended.includes(state))

/** Whether there are parcels in one of these states that have not moved for so many days. */
async function read(
  { facts: { isOn, parcels }, now }: { facts: WatchedParcels; now: Date },
  { states, days }: { states: readonly ParcelState[]; days: number },
): Promise<MatterState> {
  if (!isOn) return 'off'
  const ago = (count: number) => new Date(now.getTime() - count * dayMs)
  const found = await parcels({ states, after: ago(furthestBackDays), until: ago(days) })
  const { count, since, orders } = found
  return count === 0 ? gone : open({ count, ...sinceOf(since), orders })
}

/** What may happen to parcels on their way. */
export const trackingMatters = {
  parcelStuck: row({
    ...place,
    text: 'alertParcelStuck',
    advice: 'alertParcelStuckAdvice',
    over: 'alertParcelStuckOver',
    settings: {
      parcelStuck: watchedSetting(),
      /** How many days a parcel may go without a report. */
      parcelStuckDays: countSetting(7, {
        section: watchedSection,
        isBeside: true,
        least: 1,
        most: furthestBackDays - 1,
      }),
    },
    rule: ['parcelStuckDays'],
    read: (round) => read(round, { states: onTheWay, days: round.settings.parcelStuckDays }),
  }),
  parcelFailed: row({
    ...place,
    text: 'alertParcelFailed',
    advice: 'alertParcelFailedAdvice',
    over: 'alertParcelFailedOver',
    settings: { parcelFailed: watchedSetting() },
    read: (round) => read(round, { states: failed, days: 0 }),
  }),
} as const
