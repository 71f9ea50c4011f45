import { describe, expect, it } from 'vitest'
import { marketingState, shippingState } from '../../../../src/admin/overview/integration-state.js'
import type { PauseReason } from '../../../../src/delivery/call-log.js'
import {
  defaultShippingSettings,
  resolveShippingSettings,
  type StoredShippingSettings,
} from '../../../../src/shipping/shipping-settings.js'
import type { OverviewFacts } from '../../../../src/overview/overview.js'

type ShippingFacts = OverviewFacts['shipping']
type MarketingFacts = OverviewFacts['marketing']

const now = new Date('2026-11-21T12:00:00.000Z')
const hoursAgo = (hours: number) => new Date(now.getTime() - hours * 3_600_000)

const settingsOf = (changes: Partial<StoredShippingSettings> = {}) =>
  resolveShippingSettings(
    { ...defaultShippingSettings, username: 'ship', password: 'secret', ...changes },
    process.env,
  )

const pullOf = (hours: number) => ({ at: hoursAgo(hours), orders: 1, pages: 1 })
const shipmentOf = (hours: number) => ({ at: hoursAgo(hours), reference: 'A', carrier: '' })
const none = { count: 0, newestAt: undefined }

const shippingFacts = (changes: Partial<ShippingFacts> = {}): ShippingFacts => ({
  settings: settingsOf(),
  settingsProblem: undefined,
  settingsSavedAt: undefined,
  lastPull: pullOf(1),
  failures: [],
  lastShipment: undefined,
  skipped: none,
  ...changes,
})

const shipping = (changes: Partial<ShippingFacts> = {}) => {
  const { is, problems } = shippingState(shippingFacts(changes), now)
  return [is, ...problems.map(({ text }) => text)]
}

const failed = (
  action: 'export' | 'shipnotify',
  code: ShippingFacts['failures'][number]['code'],
  hours = 2,
) => ({ failures: [{ at: hoursAgo(hours), action, code }] })

describe('ShipStation', () => {
  it('works when it came within a day and nothing is wrong', () => {
    expect(shipping()).toEqual(['works'])
    expect(shipping({ lastPull: pullOf(24) })).toEqual(['works'])
  })

  it.each([{ username: '' }, { password: '' }, { password: '$STORECONNECT_NOT_SET' }])(
    'is not set up while nobody can get in: %j',
    (changes) => {
      const settings = settingsOf(changes)
      expect(shipping({ settings })).toEqual(['not-set-up', 'problemCredentials'])
    },
  )

  it('is not used yet until it comes for the first time', () => {
    expect(shipping({ lastPull: undefined })).toEqual(['not-used-yet', 'problemNeverPulled'])
  })

  it('needs the merchant when it has not come for more than a day', () => {
    expect(shipping({ lastPull: pullOf(24.1) })).toEqual(['needs-you', 'problemQuiet'])
  })

  it('needs the merchant while orders are skipped, and says how many since when', () => {
    const skipped = { count: 2, newestAt: hoursAgo(3) }
    const state = shippingState(shippingFacts({ skipped }), now)
    expect(state).toEqual({
      is: 'needs-you',
      problems: [{ text: 'problemSkipped', count: 2, at: hoursAgo(3), place: 'skipped-orders' }],
    })
  })

  it.each([
    ['store-field', 'problemStoreField'],
    ['blank-name', 'problemBlankName'],
    ['shipped-status', 'problemShippedStatus'],
    ['tracking-field', 'problemTrackingField'],
  ] as const)('needs the merchant while the settings are wrong: %s', (settingsProblem, text) => {
    expect(shipping({ settingsProblem })).toEqual(['needs-you', text])
  })

  it.each(['SETTING_BLANK', 'STATUS_NOT_FOUND'] as const)(
    'works as soon as the setting is right that a notice failed for: %s',
    (code) => {
      expect(shipping(failed('shipnotify', code))).toEqual(['works'])
    },
  )

  it('works as soon as the store field is right that an export failed for', () => {
    expect(shipping(failed('export', 'STORE_FIELD_NOT_FOUND', 0))).toEqual(['works'])
  })

  it.each([
    [['needs-you', 'problemExport'], 'export', {}],
    [['needs-you', 'problemExport'], 'export', { lastPull: pullOf(3) }],
    [
      ['needs-you', 'problemExport'],
      'export',
      { lastPull: pullOf(3), lastShipment: shipmentOf(1) },
    ],
    [['works'], 'export', { lastPull: pullOf(1) }],
    [['needs-you', 'problemNotice'], 'shipnotify', { lastPull: pullOf(1) }],
    [['needs-you', 'problemNotice'], 'shipnotify', { lastShipment: shipmentOf(3) }],
    [['works'], 'shipnotify', { lastShipment: shipmentOf(1) }],
  ] as const)('is %j after %s failed two hours ago: %j', (is, action, facts) => {
    const given = { lastPull: pullOf(3), ...facts, ...failed(action, 'UNEXPECTED') }
    expect(shipping(given)).toEqual(is)
  })

  it('forgets a failure when the settings were changed after it', () => {
    const failure = failed('shipnotify', 'UNEXPECTED')
    expect(shipping({ ...failure, settingsSavedAt: hoursAgo(1) })).toEqual(['works'])
    expect(shipping({ ...failure, settingsSavedAt: hoursAgo(3) })[0]).toBe('needs-you')
  })

  describe('when one order has failed the whole export', () => {
    const given = {
      ...failed('export', 'ORDER_NOT_VALID'),
      lastPull: pullOf(3),
      settings: settingsOf({ failOnInvalidOrder: true }),
      skipped: { count: 1, newestAt: hoursAgo(2) },
    }

    it('needs the merchant', () => {
      expect(shipping(given)).toEqual(['needs-you', 'problemOrderNotValid', 'problemSkipped'])
    })

    it('works once the order is mended', () => {
      expect(shipping({ ...given, skipped: none })).toEqual(['works'])
    })

    it('only skips the order once the setting is off', () => {
      expect(shipping({ ...given, settings: settingsOf() })).toEqual([
        'needs-you',
        'problemSkipped',
      ])
    })
  })
})

const marketingFacts = (changes: Partial<MarketingFacts> = {}): MarketingFacts => ({
  keyProblem: undefined,
  pauses: [],
  lastTest: undefined,
  lastSentAt: hoursAgo(1),
  waiting: [],
  failed: [],
  ...changes,
})

const marketing = (changes: Partial<MarketingFacts> = {}) => {
  const { is, problems } = marketingState(marketingFacts(changes), now)
  return [is, ...problems.map(({ text }) => text)]
}

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
const passed = { missingScopes: [] }

describe('Klaviyo', () => {
  it('works when something was sent, however long ago', () => {
    expect(marketing()).toEqual(['works'])
    expect(marketing({ lastSentAt: hoursAgo(1000) })).toEqual(['works'])
  })

  it.each([
    ['missing', 'apiKeyMissing'],
    ['variable-missing', 'overviewKeyVariable'],
  ] as const)('is not set up while the key is %s', (keyProblem, text) => {
    expect(marketing({ keyProblem })).toEqual(['not-set-up', text])
  })

  it('is not used yet until its key was tested or used', () => {
    const lastSentAt = undefined
    expect(marketing({ lastSentAt })).toEqual(['not-used-yet', 'problemUntried'])
    expect(marketing({ lastSentAt, lastTest: { at: hoursAgo(1), ...passed } })).toEqual(['works'])
  })

  it('needs the merchant while it refuses the key, and says since when', () => {
    const state = marketingState(marketingFacts(pausedBy('misconfigured')), now)
    expect(state).toEqual({
      is: 'needs-you',
      problems: [{ text: 'deliveryPaused', at: hoursAgo(5), place: 'marketing-settings' }],
    })
  })

  it('works again as soon as a test of the refused key passes', () => {
    const pause = pausedBy('misconfigured')
    expect(marketing({ ...pause, lastTest: { at: now, ...passed } })).toEqual(['works'])
    // It was refused once more after that test.
    expect(marketing({ ...pause, lastTest: { at: hoursAgo(1), ...passed } })[0]).toBe('needs-you')
  })

  it('needs the merchant after a test that failed, until something is sent', () => {
    const lastTest = { at: hoursAgo(2), refusal: 'Wrong.', missingScopes: [] }
    expect(marketing({ lastTest, lastSentAt: hoursAgo(3) })).toEqual([
      'needs-you',
      'connectionFailed',
    ])
    expect(marketing({ lastTest, lastSentAt: hoursAgo(1) })).toEqual(['works'])
  })

  it('needs the merchant while the key lacks a scope', () => {
    const lastTest = { at: hoursAgo(2), missingScopes: ['lists:write'] }
    expect(marketing({ lastTest })).toEqual(['needs-you', 'problemScopes'])
  })

  it('needs the merchant while sends have failed, and says how many since when', () => {
    const of = (count: number, hours: number) => ({
      code: String(hours),
      count,
      detail: '',
      newestAt: hoursAgo(hours),
    })
    const state = marketingState(marketingFacts({ failed: [of(2, 3), of(1, 1)] }), now)
    expect(state).toEqual({
      is: 'needs-you',
      problems: [{ text: 'problemFailed', count: 3, at: hoursAgo(1), place: 'failed-sends' }],
    })
  })

  it('shows an outage only while something waits', () => {
    expect(marketing(pausedBy('outage'))).toEqual(['works'])
    expect(marketing({ ...pausedBy('outage'), ...waitingSince(0) })).toEqual([
      'needs-you',
      'overviewOutage',
    ])
    expect(marketing({ ...pausedBy('rate-limited'), ...waitingSince(0) })).toEqual(['works'])
  })

  it('needs the merchant when nobody delivers what is due', () => {
    expect(marketing(waitingSince(2))).toEqual(['works'])
    expect(marketing(waitingSince(2.1))).toEqual(['needs-you', 'problemStuck'])
    expect(marketing(waitingSince(-48))).toEqual(['works'])
  })
})
