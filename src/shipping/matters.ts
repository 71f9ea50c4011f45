import {
  gone,
  open,
  matterRows,
  ordersNamed,
  sinceOf,
  watchedSection,
  watchedSetting,
  type ExistingAlert,
  type MatterFacts,
  type MatterRound,
  type MatterState,
} from '../core/matter.js'
import type { TranslationKey } from '../core/payload/label.js'
import { countSetting } from '../core/payload/setting-kinds.js'
import { hours, paidStatuses, shared } from './matter-settings.js'
import type { ShippingFacts, ShippingSettingsProblem } from './shipping-facts.js'
import type { Pull } from './pulls.js'
import type { ShippingSettings } from './shipping-settings.js'
import type { FailedRequest } from './shipstation-requests.js'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

/** How many days a parcel of a cancelled order is reported, unless the merchant ends the order again. */
const reportedDays = 7

const row = matterRows<ShippingFacts, typeof shared>()

/** Decides only for a store that uses ShipStation: blank settings mean that it does not. */
const whereUsed =
  <Settings>(
    read: (round: MatterRound<ShippingFacts, Settings>) => MatterState | Promise<MatterState>,
  ) =>
  (round: MatterRound<ShippingFacts, Settings>) =>
    round.facts.settings.username.trim() === '' ? 'off' : read(round)

const isClosed = ({ credentials: { username, password } }: ShippingSettings) =>
  username === '' || password === ''

const pulled = (at: Date): MatterState => ({
  isOpen: false,
  over: { why: 'pulled', at: at.toISOString() },
})

const ago = (ms: number, now: Date) => new Date(now.getTime() - ms)

const askedOf = ({ asked, store }: Pull): Pick<MatterFacts, 'asked' | 'store'> => ({
  ...(asked !== undefined && { asked }),
  ...(store !== undefined && { store }),
})

/** It is no longer open by the present settings, but nothing was seen that ended it. */
const endedUnseen = (existing: ExistingAlert | undefined): MatterState =>
  existing !== undefined && existing.endedAt === undefined ? 'off' : 'unknown'

/** Whether ShipStation has asked since the pull that a matter is about, or for the first time. */
function hasPulledSince(
  existing: ExistingAlert | undefined,
  pulledAt: Date | undefined,
): pulledAt is Date {
  if (existing === undefined || pulledAt === undefined) return false
  const { since } = existing.facts
  return since === undefined || pulledAt > new Date(since)
}

const isAfter = (at: Date | undefined, other: Date) => at !== undefined && at > other

async function hoursAgo(
  hours: number,
  { settings, now, timezone }: { settings: { businessDays: boolean }; now: Date; timezone: string },
): Promise<Date> {
  if (!settings.businessDays) return ago(hours * hourMs, now)
  const { businessTimeAgo } = await import('./business-time.js')
  return businessTimeAgo(now, hours * hourMs, timezone)
}

const settingsTexts: Readonly<Record<ShippingSettingsProblem, TranslationKey>> = {
  'store-field': 'problemStoreField',
  'blank-name': 'problemBlankName',
  'shipped-status': 'problemShippedStatus',
  'tracking-field': 'problemTrackingField',
}

/** The errors that only a setting causes. The present settings are a matter of their own. */
const settingCodes: ReadonlySet<FailedRequest['code']> = new Set([
  'SETTING_BLANK',
  'STORE_FIELD_NOT_FOUND',
  'STATUS_NOT_FOUND',
])

/** Whether ShipStation's last request of an action failed, and its cause is still there. */
function readFailure(facts: ShippingFacts, action: FailedRequest['action']): MatterState {
  const { settings, settingsSavedAt, lastPull, lastShipment, skipped } = facts
  const failure = facts.failures.find((one) => one.action === action)
  if (failure === undefined || settingCodes.has(failure.code)) return gone
  const { at, code } = failure
  if (isAfter(action === 'export' ? lastPull?.at : lastShipment?.at, at)) return gone
  if (code === 'ORDER_NOT_VALID') {
    return settings.failOnInvalidOrder && skipped.count > 0
      ? open({ text: 'problemOrderNotValid', ...sinceOf(at) })
      : gone
  }
  return isAfter(settingsSavedAt, at) ? gone : open({ ...sinceOf(at) })
}

const pulls = { adminPath: '/collections/shipping-pulls', show: 'pulls' } as const
const stoppedPulls = {
  adminPath: `${pulls.adminPath}?where[or][0][and][0][state][equals]=stopped`,
  show: 'pulls',
} as const
const settingsPage = {
  adminPath: '/globals/shipping-settings',
  show: 'overviewShippingSettings',
} as const
const skippedOrders = {
  adminPath: '/collections/shipping-skipped-orders?where[or][0][and][0][isFailure][equals]=true',
  show: 'overviewOpenSkipped',
} as const
const of = 'ShipStation'

/** What may be wrong between the shop and ShipStation, or wait. */
export const shippingMatters = {
  credentialsMissing: row({
    of,
    ...settingsPage,
    step: 'stepCredentials',
    stage: 'not-set-up',
    read({ facts: { settings } }) {
      if (!isClosed(settings)) return gone
      return open({
        text: settings.isPasswordUnreadable ? 'passwordUnreadable' : 'problemCredentials',
      })
    },
  }),
  neverPulled: row({
    of,
    step: 'stepPull',
    stage: 'not-used-yet',
    read({ facts: { lastPull, settings } }) {
      if (isClosed(settings)) return 'off'
      return lastPull === undefined ? open({ text: 'problemNeverPulled' }) : gone
    },
  }),
  noPull: row({
    of,
    ...pulls,
    text: 'alertNoPull',
    advice: 'alertNoPullAdvice',
    over: 'alertNoPullOver',
    settings: {
      paidStatuses,
      noPull: watchedSetting(),
      /** How many hours without a pull are reported. */
      noPullHours: hours(12),
    },
    rule: ['noPullHours', 'businessDays', 'paidStatuses'],
    read: whereUsed(async (round) => {
      const { facts, settings, now, existing } = round
      const late = await hoursAgo(settings.noPullHours, round)
      const since = facts.lastPull?.at
      const isLate = since === undefined || since < late
      const asked = { since, until: since === undefined ? late : now, paid: settings.paidStatuses }
      const orders = isLate ? await facts.orders.waitingForPull(asked) : []
      if (orders.length > 0) return open({ ...sinceOf(since), orders })
      if (hasPulledSince(existing, since)) return pulled(since)
      return isLate ? gone : endedUnseen(existing)
    }),
  }),
  unshipped: row({
    of,
    text: 'alertUnshipped',
    advice: 'alertUnshippedAdvice',
    over: 'alertUnshippedOver',
    settings: {
      unshipped: watchedSetting(),
      /** How many hours a paid order may wait for its shipment. */
      unshippedHours: hours(72),
      businessDays: shared.businessDays,
    },
    rule: ['unshippedHours', 'businessDays', 'paidStatuses'],
    read: whereUsed(async (round) => {
      const { facts, settings } = round
      const until = await hoursAgo(settings.unshippedHours, round)
      const paid = settings.paidStatuses
      const { count, since, orders } = await facts.orders.unshipped({ until, paid })
      return count === 0 ? gone : open({ count, ...sinceOf(since), orders })
    }),
  }),
  credentialsRefused: row({
    of,
    ...settingsPage,
    text: 'alertCredentialsRefused',
    advice: 'alertCredentialsRefusedAdvice',
    over: 'alertPulled',
    settings: {
      credentialsRefused: watchedSetting(),
      /** How many minutes without a pull make a refused login worth a report. */
      credentialsRefusedMinutes: countSetting(60, {
        section: watchedSection,
        isBeside: true,
        least: 1,
        description: 'credentialsRefusedMinutesDescription',
      }),
    },
    rule: ['credentialsRefusedMinutes'],
    read: whereUsed(({ facts: { lastPull, refusedAt }, settings, now, existing }) => {
      // A pull shows that ShipStation has the right credentials, even if somebody else tried wrong ones.
      const pulledAt = lastPull?.at
      const quietMs = now.getTime() - (pulledAt?.getTime() ?? -Infinity)
      const isQuiet = quietMs > settings.credentialsRefusedMinutes * minuteMs
      if (refusedAt !== undefined && !(pulledAt && pulledAt >= refusedAt) && isQuiet) {
        return open({ ...sinceOf(pulledAt), refusedAt: refusedAt.toISOString() })
      }
      return hasPulledSince(existing, pulledAt) ? pulled(pulledAt) : endedUnseen(existing)
    }),
  }),
  windowStopped: row({
    of,
    ...stoppedPulls,
    text: 'alertWindowStopped',
    advice: 'alertWindowStoppedAdvice',
    over: 'alertWindowStoppedOver',
    settings: {
      windowStopped: watchedSetting(),
      windowStoppedMinutes: shared.windowStoppedMinutes,
    },
    rule: ['windowStoppedMinutes'],
    read: whereUsed(async ({ facts, settings, now, existing }) => {
      // It goes on until the window was asked for to its end.
      const isReported = existing !== undefined && existing.endedAt === undefined
      const silentSince = ago(settings.windowStoppedMinutes * minuteMs, now)
      const stopped = (await facts.pulls.unfinished(silentSince)).filter(
        ({ isAskedAgain, lastRequestAt }) =>
          lastRequestAt <= silentSince && (isReported || !isAskedAgain),
      )
      const oldest = stopped.at(-1)
      if (oldest === undefined) return gone
      const { answeredTo: page, pages, lastRequestAt } = oldest
      const orders = await facts.pulls.ordersBehind(oldest)
      const found = { ...sinceOf(lastRequestAt), ...askedOf(oldest), page, pages, orders }
      return open({ count: stopped.length, ...found })
    }),
  }),
  firstPageOnly: row({
    of,
    ...stoppedPulls,
    text: 'alertFirstPageOnly',
    advice: 'alertFirstPageOnlyAdvice',
    over: 'alertFirstPageOnlyOver',
    settings: { firstPageOnly: watchedSetting() },
    rule: ['windowStoppedMinutes'],
    read: whereUsed(async ({ facts, settings, now }) => {
      const silentSince = ago(settings.windowStoppedMinutes * minuteMs, now)
      const all = await facts.pulls.unfinished(silentSince)
      const [last] = all
      if (last === undefined || !(await facts.pulls.isFirstPageOnly(all))) return gone
      const orders = await facts.pulls.ordersBehind(last)
      return open({ ...sinceOf(last.lastRequestAt), ...askedOf(last), orders })
    }),
  }),
  nothingFound: row({
    of,
    ...pulls,
    text: 'alertNothingFound',
    advice: 'alertNothingFoundAdvice',
    over: 'alertNothingFoundOver',
    settings: {
      nothingFound: watchedSetting(),
      /** How many hours pulls may find nothing. */
      nothingFoundHours: hours(3),
    },
    rule: ['nothingFoundHours', 'paidStatuses'],
    read: whereUsed(async ({ facts, settings, now }) => {
      const until = ago(settings.nothingFoundHours * hourMs, now)
      const stores = await facts.pulls.findingNothing(until)
      if (stores === undefined) return 'unknown'
      for (const { last, found } of stores) {
        const { storeField } = facts.settings
        const after = later(await facts.pulls.firstAt(), found && ago(dayMs, found.at))
        if (last === undefined || after === undefined) continue
        const paid = settings.paidStatuses
        const outside = await facts.orders.outsidePulls({ after, until, paid, storeField })
        const { orders, changedAt } = outside
        // Where pulls left orders out while they found others, the merchant does not ask for these.
        const isUsual = found !== undefined && changedAt !== undefined && changedAt < found.at
        if (orders.length > 0 && !isUsual) {
          return open({ ...sinceOf(found?.at), ...askedOf(last), orders })
        }
      }
      return gone
    }),
  }),
  endedShipped: row({
    of,
    adminPath: '/collections/shipping-notices',
    show: 'overviewShow',
    text: 'alertEndedShipped',
    advice: 'alertEndedShippedAdvice',
    over: 'alertEndedShippedOver',
    settings: { endedShipped: watchedSetting() },
    read: whereUsed(async ({ facts, now }) => {
      const after = ago(reportedDays * dayMs, now)
      const ended = await facts.endingStatuses()
      const orders = await facts.orders.shippedAfterTheirEnd({ after, ended })
      const [first] = orders
      if (first === undefined) return gone
      const named = orders.slice(0, ordersNamed).map(({ id, number }) => ({ id, number }))
      return open({ count: orders.length, ...sinceOf(first.at), orders: named })
    }),
  }),
  ordersSkipped: row({
    of,
    ...skippedOrders,
    text: 'alertOrdersSkipped',
    advice: 'alertOrdersSkippedAdvice',
    over: 'alertOrdersSkippedOver',
    settings: { ordersSkipped: watchedSetting() },
    read: ({ facts: { skipped } }) =>
      skipped.count === 0
        ? gone
        : open({ count: skipped.count, ...sinceOf(skipped.firstAt), orders: skipped.orders }),
  }),
  shippingSettingsWrong: row({
    of,
    ...settingsPage,
    text: 'problemStoreField',
    settings: { shippingSettingsWrong: watchedSetting() },
    read: whereUsed(({ facts: { settingsProblem, settingsSavedAt } }) =>
      settingsProblem === undefined
        ? gone
        : open({ text: settingsTexts[settingsProblem], ...sinceOf(settingsSavedAt) }),
    ),
  }),
  exportFails: row({
    of,
    ...pulls,
    text: 'problemExport',
    settings: { exportFails: watchedSetting() },
    read: ({ facts }) => readFailure(facts, 'export'),
  }),
  noticeFails: row({
    of,
    adminPath: '/collections/shipping-notices',
    show: 'overviewShow',
    text: 'problemNotice',
    settings: { noticeFails: watchedSetting() },
    read: ({ facts }) => readFailure(facts, 'shipnotify'),
  }),
} as const

const later = (one: Date | undefined, other: Date | undefined): Date | undefined =>
  one !== undefined && other !== undefined ? (one > other ? one : other) : (one ?? other)
