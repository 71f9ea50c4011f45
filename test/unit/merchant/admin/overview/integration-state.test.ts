import { describe, expect, it } from 'vitest'
import {
  marketingState,
  shippingState,
} from '../../../../../src/merchant/admin/overview/integration-state.js'
import type { PauseReason } from '../../../../../src/marketing/delivery/call-log.js'
import {
  resolveShippingSettings,
  type StoredShippingSettings,
} from '../../../../../src/shipping/shipping-settings.js'
import type { OverviewFacts } from '../../../../../src/merchant/overview/overview.js'
import { defaultShippingSettings } from '../../../../support/default-settings.js'

type ShippingFacts = OverviewFacts['shipping']
type MarketingFacts = OverviewFacts['marketing']

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
const none = { count: 0, firstAt: undefined }

const shipping = (changes: Partial<ShippingFacts> = {}) =>
  shippingState(
    {
      settings: settingsOf(),
      settingsProblem: undefined,
      settingsSavedAt: undefined,
      lastPull: pullOf(1),
      failures: [],
      lastShipment: undefined,
      skipped: none,
      ...changes,
    },
    now,
  )

const failed = (
  action: 'export' | 'shipnotify',
  code: ShippingFacts['failures'][number]['code'] = 'UNEXPECTED',
) => ({ failures: [{ at: hoursAgo(2), action, code }] })

/** An order that does not pass has failed the whole export. */
const failedByOrder = {
  ...failed('export', 'ORDER_NOT_VALID'),
  lastPull: pullOf(3),
  settings: settingsOf({ failOnInvalidOrder: true }),
  skipped: { count: 1, firstAt: hoursAgo(2) },
}

type Row<Facts> = [when: string, facts: Partial<Facts>, ...state: string[]]

describe('ShipStation', () => {
  it.each<Row<ShippingFacts>>([
    ['it came within the hour', {}, 'works'],
    ['it came a day ago', { lastPull: pullOf(24) }, 'works'],
    ['it came more than a day ago', { lastPull: pullOf(24.1) }, 'needs-you', 'problemQuiet'],
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
    ['an order fails it', failedByOrder, 'needs-you', 'problemOrderNotValid', 'problemSkipped'],
    ['that order is mended', { ...failedByOrder, skipped: none }, 'works'],
    [
      'that order is only skipped',
      { ...failedByOrder, settings: settingsOf() },
      'needs-you',
      'problemSkipped',
    ],
  ])('%s', (...[, facts, ...expected]) => {
    const { is, problems } = shipping(facts)
    expect([is, ...problems.map(({ text }) => text)]).toEqual(expected)
  })

  it('needs the merchant while orders are skipped, and says how many since when', () => {
    const skipped = { count: 2, firstAt: hoursAgo(3) }
    expect(shipping({ skipped })).toEqual({
      is: 'needs-you',
      problems: [{ text: 'problemSkipped', count: 2, at: hoursAgo(3), place: 'skipped-orders' }],
    })
  })
})

const marketing = (changes: Partial<MarketingFacts> = {}, at = now) =>
  marketingState(
    {
      keyProblem: undefined,
      mode: 'loop',
      modeProblem: undefined,
      lastRunAt: undefined,
      pauses: [],
      lastTest: undefined,
      lastMapping: undefined,
      lastSentAt: hoursAgo(1),
      waiting: [],
      failed: [],
      ...changes,
    },
    at,
  )

const minutesFromNow = (minutes: number) => new Date(now.getTime() + minutes * 60_000)
const pausedBy = (reason: PauseReason) => ({
  pauses: [
    {
      call: 'events' as const,
      reason,
      since: hoursAgo(5),
      at: minutesFromNow(-0.5),
      until: minutesFromNow(0.5),
    },
  ],
})
const waitingSince = (hours: number) => ({
  waiting: [{ kind: 'event' as const, count: 3, nextAt: hoursAgo(hours) }],
})
const tested = (hours: number, more: { refusal?: string; missingScopes?: string[] } = {}) => ({
  lastTest: { at: hoursAgo(hours), missingScopes: [], ...more },
})
const refused = pausedBy('misconfigured')
const wrong = tested(2, { refusal: 'Wrong.' })

describe('Klaviyo', () => {
  it.each<Row<MarketingFacts>>([
    ['something was sent long ago', { lastSentAt: hoursAgo(1000) }, 'works'],
    ['there is no key', { keyProblem: 'missing' }, 'not-set-up', 'apiKeyMissing'],
    [
      'a variable is not set',
      { keyProblem: 'variable-missing' },
      'not-set-up',
      'overviewKeyVariable',
    ],
    ['the key was never used', { lastSentAt: undefined }, 'not-used-yet', 'problemUntried'],
    ['the key was tested alone', { lastSentAt: undefined, ...tested(1) }, 'works'],
    ['a test passed after a refusal', { ...refused, ...tested(0) }, 'works'],
    ['a test passed before a refusal', { ...refused, ...tested(1) }, 'needs-you', 'deliveryPaused'],
    ['a test failed', { ...wrong, lastSentAt: hoursAgo(3) }, 'needs-you', 'connectionFailed'],
    ['something was sent after a test that failed', wrong, 'works'],
    [
      'the key lacks a scope',
      tested(2, { missingScopes: ['lists:write'] }),
      'needs-you',
      'problemScopes',
    ],
    [
      'it has retired the revision of its API',
      { ...pausedBy('retired'), ...waitingSince(3) },
      'needs-you',
      'alertRevisionRefused',
    ],
    ['an outage, and nothing waits', pausedBy('outage'), 'works'],
    [
      'an outage, and something waits',
      { ...pausedBy('outage'), ...waitingSince(0) },
      'needs-you',
      'overviewOutage',
    ],
    ['a limit is reached', { ...pausedBy('rate-limited'), ...waitingSince(0) }, 'works'],
    ['something waits for two hours', waitingSince(2), 'works'],
    ['something waits for longer', waitingSince(2.1), 'needs-you', 'problemStuck'],
    ['something is due later', waitingSince(-48), 'works'],
    ['it is a preview', { modeProblem: 'preview' }, 'needs-you', 'deliveryPreview'],
    ['its host stops the loop', { modeProblem: 'stopped' }, 'needs-you', 'deliveryStopped'],
  ])('%s', (...[, facts, ...expected]) => {
    const { is, problems } = marketing(facts)
    expect([is, ...problems.map(({ text }) => text)]).toEqual(expected)
  })

  it('needs the merchant three months before it retires the revision of its API', () => {
    const at = (moment: string) => marketing({}, new Date(moment)).problems.map(({ text }) => text)
    expect(at('2028-04-14T23:59:59Z')).toEqual([])
    expect(at('2028-04-15T00:00:00Z')).toEqual(['alertRevisionEnds'])
  })

  it('needs the merchant while it refuses the key, and says since when', () => {
    expect(marketing(refused)).toEqual({
      is: 'needs-you',
      problems: [{ text: 'deliveryPaused', at: hoursAgo(5), place: 'marketing-settings' }],
    })
  })

  it('needs the merchant while sends have failed, and says how many since when', () => {
    const of = (count: number, hours: number) => ({
      reason: String(hours),
      isStored: true,
      count,
      firstAt: hoursAgo(hours),
      newestAt: hoursAgo(0),
      sample: { id: hours, code: '', detail: '' },
    })
    expect(marketing({ failed: [of(2, 3), of(1, 1)] })).toEqual({
      is: 'needs-you',
      problems: [{ text: 'problemFailed', count: 3, at: hoursAgo(3), place: 'failed-sends' }],
    })
  })
})
