import { describe, expect, it } from 'vitest'
import {
  nextCall,
  type CallQuestion,
  type CallCapacity,
} from '../../../../src/marketing/delivery/next-call.js'

const now = 1_800_000_000_000
const capacity = (change: Partial<CallCapacity> = {}): CallCapacity => ({
  free: 100,
  nextAt: now,
  lastAt: 0,
  recent: 0,
  paceMs: 400,
  leastPaceMs: 400,
  evenAt: 0,
  isProbe: false,
  probeAt: undefined,
  ...change,
})
const full = { free: 0, nextAt: now + 9_000 }
const ask = (change: Partial<CallQuestion>) =>
  nextCall({
    count: 1,
    dueSince: now,
    now,
    full: 1_000,
    single: capacity(),
    bulk: capacity(),
    ...change,
  })

const busy = (change: Partial<CallQuestion>) => ({ single: capacity({ recent: 25 }), ...change })

describe('nextCall', () => {
  it.each([
    ['few: single calls at once', { count: 25 }, { do: 'single', calls: 25 }],
    ['26: a wait for company', { count: 26 }, { do: 'wait', until: now + 1_000 }],
    ['26 for a second: together', { count: 26, dueSince: now - 1_000 }, { do: 'bulk' }],
    [
      '26 for a second, and a call just before: a wait for company',
      { count: 26, dueSince: now - 1_000, bulk: capacity({ lastAt: now - 600 }) },
      { do: 'wait', until: now + 400 },
    ],
    [
      'a full call, and one just before: at once',
      { count: 1_000, bulk: capacity({ lastAt: now - 600 }) },
      { do: 'bulk', items: 1_000 },
    ],
    [
      'a full call, and more than its share of the minute before: evenly',
      { count: 1_000, bulk: capacity({ evenAt: now + 300 }) },
      { do: 'wait', until: now + 300 },
    ],
    ['a full call: at once', { count: 1_000 }, { do: 'bulk', items: 1_000 }],
    ['few without single permits: together', { single: capacity(full) }, { do: 'bulk' }],
    [
      'few with too few single permits: together',
      { count: 9, single: capacity({ free: 3 }) },
      { do: 'bulk' },
    ],
    [
      'few with some permits and none for many: those',
      { count: 9, single: capacity({ free: 3 }), bulk: capacity(full) },
      { do: 'single', calls: 3 },
    ],
    [
      'no permits at all: a wait for the first',
      { single: capacity({ ...full, nextAt: now + 70 }), bulk: capacity(full) },
      { do: 'wait', until: now + 70 },
    ],
    [
      'no call for one: evenly over the minute',
      { single: undefined, bulk: capacity({ lastAt: now - 100 }) },
      { do: 'wait', until: now + 300 },
    ],
    [
      'no call for one, and a call of many just before: at the pace of the platform',
      { single: undefined, bulk: capacity({ paceMs: 4_000, lastAt: now - 100 }) },
      { do: 'wait', until: now + 300 },
    ],
    [
      'half of a full call, and one just before: at half of its pace',
      {
        ...{ count: 500, dueSince: now - 2_000 },
        bulk: capacity({ paceMs: 4_000, lastAt: now - 1_000 }),
      },
      { do: 'wait', until: now + 1_000 },
    ],
    ['few, and many just before: a wait for company', busy({}), { do: 'wait', until: now + 1_000 }],
    [
      'few for a second, and many before: together',
      busy({ dueSince: now - 1_000 }),
      { do: 'bulk' },
    ],
    [
      'few for a second, and no permit for many: single calls',
      busy({ dueSince: now - 1_000, bulk: capacity(full) }),
      { do: 'single', calls: 1 },
    ],
    [
      'few, many just before, and no permit for many: no longer than a second',
      busy({ bulk: capacity(full) }),
      { do: 'wait', until: now + 1_000 },
    ],
    [
      'one that has to be alone, however many before: at once',
      busy({ full: 1 }),
      { do: 'single', calls: 1 },
    ],
    ['one that has to be alone: one at a time', { count: 9, full: 1 }, { do: 'single', calls: 1 }],
    [
      'the first after a pause: one item',
      { count: 1_000, bulk: capacity({ free: 1, isProbe: true }) },
      { do: 'bulk', items: 1, isProbe: true },
    ],
  ] as [string, Partial<CallQuestion>, object][])('%s', (_, change, expected) => {
    expect(ask(change)).toMatchObject(expected)
  })
})
