import { expect, it } from 'vitest'
import { callScopes } from '../../../../src/marketing/klaviyo/key-scopes.js'
import {
  waitOf,
  type DeliveryNow,
  type PausedCall,
  type SendInQueue,
} from '../../../../src/marketing/delivery/send-wait.js'

const now = new Date('2026-11-02T10:00Z')
const inMinutes = (minutes: number) => new Date(now.getTime() + minutes * 60_000)
const iso = (minutes: number) => inMinutes(minutes).toISOString()

const paused = (
  call: PausedCall['call'],
  reason: PausedCall['reason'],
  { minutes = 5, isOfKey = false } = {},
): PausedCall => ({ call, reason, until: inMinutes(minutes), isOfKey, scopes: callScopes[call] })

const earlier = { id: 1, acceptedAt: iso(-60) }

const wait = ({
  state = 'queued',
  kind = 'event',
  dueAt = inMinutes(-1),
  ...given
}: Partial<SendInQueue & DeliveryNow> = {}) =>
  waitOf(
    { state, kind, dueAt, earlier: given.earlier },
    {
      now,
      keyProblem: undefined,
      pauses: [],
      roomAt: () => now,
      isDelivering: true,
      deliversInRuns: false,
      ...given,
    },
  )

const stopped = { keyProblem: 'missing', isDelivering: false } as const
const both = (...given: [PausedCall['reason'], { minutes?: number; isOfKey?: boolean }?]) => ({
  pauses: [paused('event', ...given), paused('events', ...given)],
})

it.each<[string, ReturnType<typeof wait>, ReturnType<typeof wait>]>([
  ['one that was sent does not wait', wait({ state: 'sent', ...stopped }), undefined],
  ['a failed one neither', wait({ state: 'failed', ...stopped }), undefined],
  ['one whose turn it is', wait(), { for: 'turn' }],
  ['one in a call', wait({ state: 'sending', keyProblem: 'missing' }), { for: 'in-call' }],
  ['one whose process died', wait({ state: 'sending', isDelivering: false }), { for: 'nobody' }],
  ['no key, whatever else', wait({ ...stopped, earlier }), { for: 'key', problem: 'missing' }],
  ['a refused key', wait(both('misconfigured', { isOfKey: true })), { for: 'key-refused' }],
  ['a call that is refused', wait(both('misconfigured')), { for: 'call-refused' }],
  [
    'a missing scope',
    wait(both('scope')),
    { for: 'scope', feature: 'events', scopes: ['events:write'] },
  ],
  [
    'a missing scope of what is asked before',
    wait({ kind: 'list-add', pauses: [paused('find-profiles', 'scope')] }),
    { for: 'scope', feature: 'lists', scopes: ['profiles:read'] },
  ],
  ['an old revision', wait(both('retired')), { for: 'retired' }],
  ['an outage', wait(both('outage')), { for: 'outage', until: iso(5) }],
  ['an outage whose next try is due', wait(both('outage', { minutes: -1 })), { for: 'outage' }],
  ['a 429', wait(both('rate-limited')), { for: 'asked', until: iso(5) }],
  [
    'the sooner of two pauses',
    wait({ pauses: [paused('event', 'rate-limited'), paused('events', 'outage', { minutes: 2 })] }),
    { for: 'outage', until: iso(2) },
  ],
  [
    'a pause of one of two calls',
    wait({ pauses: [paused('event', 'rate-limited')] }),
    { for: 'turn' },
  ],
  [
    'the same after a failed call',
    wait({ pauses: [paused('event', 'rate-limited')], dueAt: inMinutes(5) }),
    { for: 'asked', until: iso(5) },
  ],
  [
    'a pause of what is asked before',
    wait({ kind: 'list-add', pauses: [paused('find-profiles', 'rate-limited')] }),
    { for: 'asked', until: iso(5) },
  ],
  ['a pause of another kind', wait({ pauses: [paused('subscribe', 'outage')] }), { for: 'turn' }],
  ['nobody delivers', wait({ isDelivering: false, earlier }), { for: 'nobody' }],
  ['the next run', wait({ isDelivering: false, deliversInRuns: true }), { for: 'run' }],
  ['an earlier one', wait({ earlier, dueAt: inMinutes(5) }), { for: 'earlier', send: earlier }],
  ['a retry of its own', wait({ dueAt: inMinutes(5) }), { for: 'retry', until: iso(5) }],
  ['the limit', wait({ roomAt: () => inMinutes(0.5) }), { for: 'limit', until: iso(0.5) }],
  [
    'room in one of two calls',
    wait({ roomAt: (call) => inMinutes(call === 'event' ? 1 : 0) }),
    { for: 'turn' },
  ],
])('%s', (...[, found, expected]) => expect(found).toEqual(expected))
