import { describe, expect, it } from 'vitest'
import { featureMatters, type FeatureMatters } from '../../../../src/core/matter.js'
import type { PauseReason } from '../../../../src/marketing/delivery/call-log.js'
import type { DeliveryFacts } from '../../../../src/marketing/delivery/delivery-facts.js'
import { deliveryMatters } from '../../../../src/marketing/delivery/matters.js'
import { revisionEndsAt, revisionEndsFrom } from '../../../../src/marketing/klaviyo/ask-api.js'
import {
  alertSettingsPage,
  alertSettingsSchema,
} from '../../../../src/merchant/alerts/alert-settings.js'
import { openMatters, createReadMatters } from '../../../../src/merchant/alerts/open-matters.js'
import { shippingMatters } from '../../../../src/shipping/matters.js'
import type { ShippingFacts } from '../../../../src/shipping/shipping-facts.js'
import {
  resolveShippingSettings,
  type StoredShippingSettings,
} from '../../../../src/shipping/shipping-settings.js'
import { allMatters } from '../../../support/all-matters.js'
import { defaultShippingSettings } from '../../../support/default-settings.js'

const now = new Date('2026-11-21T12:00:00.000Z')
const hoursAgo = (hours: number) => new Date(now.getTime() - hours * 3_600_000)

const settingsOf = (changes: Partial<StoredShippingSettings> = {}) =>
  resolveShippingSettings(
    { ...defaultShippingSettings, username: 'ship', password: 'secret', ...changes },
    process.env,
  )

const pullOf = (hours: number) => ({
  at: hoursAgo(hours),
  lastRequestAt: hoursAgo(hours),
  orders: 1,
  skipped: 0,
  pages: 1,
  isComplete: true,
  pagesAnswered: 1,
  answeredTo: 1,
  asked: undefined,
  store: undefined,
})
const shipmentOf = (hours: number) => ({ at: hoursAgo(hours), reference: 'A', carrier: '' })
const none = { count: 0, firstAt: undefined, orders: [] }

const alertSettings = alertSettingsPage(allMatters).resolve(
  alertSettingsSchema(allMatters).parse(undefined),
  process.env,
)

/** The state of a platform, and what is open. */
async function open(matters: FeatureMatters, at: Date) {
  const shop = { log: console, options: { timezone: 'UTC' } }
  const read = createReadMatters(shop as never, () => [matters])
  const { open, states } = openMatters(await read(alertSettings, { now: at, alerts: [] }), {
    now: at,
    alerts: [],
  })
  return {
    states,
    open,
    texts: open.map(({ row, facts }) => facts.text ?? ('text' in row ? row.text : undefined)),
  }
}

const found = { count: 0, since: undefined, orders: [] }

const shipping = async (changes: Partial<ShippingFacts> = {}) => {
  const facts = {
    settings: settingsOf(),
    settingsProblem: undefined,
    settingsSavedAt: undefined,
    lastPull: pullOf(1),
    failures: [],
    lastShipment: undefined,
    skipped: none,
    refusedAt: undefined,
    orders: {
      unshipped: () => Promise.resolve(found),
      waitingForPull: () => Promise.resolve([]),
      shippedAfterTheirEnd: () => Promise.resolve([]),
      outsidePulls: () => Promise.resolve({ orders: [], changedAt: undefined }),
    },
    pulls: {
      unfinished: () => Promise.resolve([]),
      findingNothing: () => Promise.resolve([]),
      firstAt: () => Promise.resolve(undefined),
    },
    endingStatuses: () => Promise.resolve([]),
    ...changes,
  } as unknown as ShippingFacts
  const { states, ...all } = await open(
    featureMatters(shippingMatters, () => Promise.resolve(facts)),
    now,
  )
  return { is: states.ShipStation, ...all }
}

const aPaidOrderWaits = {
  orders: {
    unshipped: () => Promise.resolve(found),
    waitingForPull: () => Promise.resolve([{ id: 1, number: 'A' }]),
    shippedAfterTheirEnd: () => Promise.resolve([]),
  } as unknown as ShippingFacts['orders'],
}

const failed = (
  action: 'export' | 'shipnotify',
  code: ShippingFacts['failures'][number]['code'] = 'UNEXPECTED',
) => ({ failures: [{ at: hoursAgo(2), action, code }] })

/** An order that does not pass has failed the whole export. */
const failedByOrder = {
  ...failed('export', 'ORDER_NOT_VALID'),
  lastPull: pullOf(3),
  settings: settingsOf({ failOnInvalidOrder: true }),
  skipped: { count: 1, firstAt: hoursAgo(2), orders: [] },
}

type Row<Facts> = [when: string, facts: Partial<Facts>, ...state: string[]]

describe('ShipStation', () => {
  it.each<Row<ShippingFacts>>([
    ['it came within the hour', {}, 'works'],
    ['a paid order waits for 12 hours', { lastPull: pullOf(12), ...aPaidOrderWaits }, 'works'],
    [
      'a paid order waits for longer',
      { lastPull: pullOf(12.1), ...aPaidOrderWaits },
      'needs-you',
      'alertNoPull',
    ],
    ['it came long ago, and nothing waits', { lastPull: pullOf(1000) }, 'works'],
    ['it never came', { lastPull: undefined }, 'not-used-yet', 'problemNeverPulled'],
    ...[{ username: '' }, { password: '' }, { password: '$STORECONNECT_NOT_SET' }].map(
      (changes): Row<ShippingFacts> => [
        `nobody can get in: ${JSON.stringify(changes)}`,
        { settings: settingsOf(changes) },
        'not-set-up',
        'problemCredentials',
      ],
    ),
    ...(
      [
        ['store-field', 'problemStoreField'],
        ['blank-name', 'problemBlankName'],
        ['shipped-status', 'problemShippedStatus'],
        ['tracking-field', 'problemTrackingField'],
      ] as const
    ).map(([settingsProblem, problem]): Row<ShippingFacts> => [
      `the settings are wrong: ${settingsProblem}`,
      { settingsProblem },
      'needs-you',
      problem,
    ]),
    ...(['SETTING_BLANK', 'STATUS_NOT_FOUND', 'STORE_FIELD_NOT_FOUND'] as const).map(
      (code): Row<ShippingFacts> => [`${code} was a failure`, failed('shipnotify', code), 'works'],
    ),
    [
      'an export failed after the last',
      { ...failed('export'), lastPull: pullOf(3), lastShipment: shipmentOf(1) },
      'needs-you',
      'problemExport',
    ],
    ['an export failed before the last', { ...failed('export'), lastPull: pullOf(1) }, 'works'],
    [
      'a notice failed after the last',
      { ...failed('shipnotify'), lastShipment: shipmentOf(3) },
      'needs-you',
      'problemNotice',
    ],
    ['the only notice failed', failed('shipnotify'), 'needs-you', 'problemNotice'],
    [
      'a notice failed before the last',
      { ...failed('shipnotify'), lastShipment: shipmentOf(1) },
      'works',
    ],
    [
      'the settings were changed after a failure',
      { ...failed('shipnotify'), settingsSavedAt: hoursAgo(1) },
      'works',
    ],
    [
      'the settings were changed before a failure',
      { ...failed('shipnotify'), settingsSavedAt: hoursAgo(3) },
      'needs-you',
      'problemNotice',
    ],
    ['an order fails it', failedByOrder, 'needs-you', 'alertOrdersSkipped', 'problemOrderNotValid'],
    ['that order is mended', { ...failedByOrder, skipped: none }, 'works'],
    [
      'that order is only skipped',
      { ...failedByOrder, settings: settingsOf() },
      'needs-you',
      'alertOrdersSkipped',
    ],
  ])('%s', async (...[, facts, ...expected]) => {
    const { is, texts } = await shipping(facts)
    expect([is, ...texts]).toEqual(expected)
  })
})

interface Changes extends Partial<DeliveryFacts> {
  waitingSince?: Date
  failedSends?: { count: number; since: Date }
}

const marketing = async ({ waitingSince, failedSends, ...changes }: Changes = {}, at = now) => {
  const facts: DeliveryFacts = {
    keyProblem: undefined,
    keySince: undefined,
    mode: 'loop',
    modeProblem: undefined,
    lastRunAt: undefined,
    pauses: [],
    lastTest: undefined,
    lastSentAt: hoursAgo(1),
    testedAt: undefined,
    lacking: [],
    isRevisionRefused: false,
    revisionEnds: { from: revisionEndsFrom, at: revisionEndsAt },
    failed: () => Promise.resolve(failedSends ?? { count: 0, since: undefined }),
    oldestWaiting: () => Promise.resolve(waitingSince),
    ...changes,
  }
  const { states, ...all } = await open(
    featureMatters(deliveryMatters, () => Promise.resolve(facts)),
    at,
  )
  return { is: states.Klaviyo, ...all }
}

const minutesFromNow = (minutes: number) => new Date(now.getTime() + minutes * 60_000)
const pausedBy = (reason: PauseReason) => ({
  pauses: [
    {
      call: 'events' as const,
      isOfKey: false,
      reason,
      scopes: [],
      since: hoursAgo(5),
      at: minutesFromNow(-0.5),
      until: minutesFromNow(0.5),
    },
  ],
})
const waiting = (hours: number) => ({ waitingSince: hoursAgo(hours) })
const tested = (hours: number, more: { refusal?: string } = {}) => ({
  lastTest: { at: hoursAgo(hours), missingScopes: [], ...more },
})
const refused = pausedBy('misconfigured')
const wrong = tested(2, { refusal: 'Wrong.' })

describe('Klaviyo', () => {
  it.each<Row<Changes>>([
    ['something was sent long ago', { lastSentAt: hoursAgo(1000) }, 'works'],
    ['there is no key', { keyProblem: 'missing' }, 'not-set-up', 'apiKeyMissing'],
    [
      'a variable is not set',
      { keyProblem: 'variable-missing' },
      'needs-you',
      'overviewKeyVariable',
    ],
    ['the key was never used', { lastSentAt: undefined }, 'not-used-yet', 'problemUntried'],
    ['the key was tested alone', { lastSentAt: undefined, ...tested(1) }, 'works'],
    ['a test passed after a refusal', { ...refused, ...tested(0) }, 'works'],
    [
      'a test passed before a refusal',
      { ...refused, ...tested(1) },
      'needs-you',
      'alertKeyRefused',
    ],
    ['a test failed', { ...wrong, lastSentAt: hoursAgo(3) }, 'needs-you', 'connectionFailed'],
    ['something was sent after a test that failed', wrong, 'works'],
    [
      'the key lacks a scope',
      {
        lacking: [
          { name: 'lists', off: 'listsOff', scopes: ['lists:write'], isUsed: true },
        ] as const,
      },
      'needs-you',
      'problemScopes',
    ],
    [
      'it has retired the revision of its API',
      { ...pausedBy('retired'), ...waiting(3) },
      'needs-you',
      'alertRevisionRefused',
    ],
    ['an outage, and nothing waits', pausedBy('outage'), 'works'],
    ['an outage, and something waits', { ...pausedBy('outage'), ...waiting(0) }, 'works'],
    ['a limit is reached', { ...pausedBy('rate-limited'), ...waiting(0) }, 'works'],
    ['something waits for half an hour', waiting(0.5), 'works'],
    ['something waits for longer', waiting(0.6), 'needs-you', 'alertSendsWaiting'],
    [
      'something waits for longer, in an outage',
      { ...pausedBy('outage'), ...waiting(0.6) },
      'needs-you',
      'alertSendsWaiting',
    ],
    ['it is a preview', { modeProblem: 'preview' }, 'needs-you', 'deliveryPreview'],
    ['its host stops the loop', { modeProblem: 'stopped' }, 'needs-you', 'deliveryStopped'],
  ])('%s', async (...[, facts, ...expected]) => {
    const { is, texts } = await marketing(facts)
    expect([is, ...texts]).toEqual(expected)
  })
})
