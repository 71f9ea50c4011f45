import fc from 'fast-check'
import type { Fault } from '../../dev/klaviyo/faults.ts'
import type { Run, Step } from './world.js'

const at = fc.nat({ max: 2 })
/** The last one is whoever delivers. */
const orDeliverer = fc.nat({ max: 3 })
/** Of those that there are. */
const order = fc.nat({ max: 3 })
const person = fc.nat({ max: 2 })
/** A delivery is about fifteen statements and calls. */
const after = fc.option(fc.nat({ max: 20 }), { nil: undefined })

const fault: fc.Arbitrary<Fault> = fc.oneof(
  fc.record({
    kind: fc.constantFrom('reset' as const, 'hang' as const),
    times: fc.integer({ min: 1, max: 3 }),
    isProcessed: fc.boolean(),
  }),
  fc.record({
    kind: fc.constant('error' as const),
    status: fc.constantFrom(500, 503),
    times: fc.integer({ min: 1, max: 10 }),
    isProcessed: fc.boolean(),
  }),
  fc.record({
    kind: fc.constantFrom('throttle' as const, 'delay' as const),
    seconds: fc.integer({ min: 1, max: 5 }),
    times: fc.integer({ min: 1, max: 5 }),
  }),
  fc.record({
    kind: fc.constantFrom('truncate' as const, 'cancel-job' as const),
    times: fc.constant(1),
  }),
)

interface Weighted {
  weight: number
  arbitrary: fc.Arbitrary<Step>
}

/** What happens to the outbox. */
const ofOutbox: Weighted[] = [
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant('post' as const),
      person,
      kind: fc.constantFrom('event', 'event', 'identify', 'subscribe', 'unsubscribe'),
      at,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('crowd' as const),
      kind: fc.constantFrom('event', 'identify'),
      poison: fc.nat({ max: 40 }),
      at,
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('leave at Klaviyo' as const), person }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('kill' as const), at: orDeliverer, after }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('stop' as const), at: orDeliverer }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('freeze' as const),
      at: orDeliverer,
      ms: fc.constantFrom(3_000, 12_000, 40_000),
      after,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('set clock' as const),
      at,
      seconds: fc.constantFrom(-3_600, -30, 30, 3_600),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('trouble at Klaviyo' as const), fault }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('trouble at the database' as const),
      at: orDeliverer,
      trouble: fc.constantFrom('refuses', 'drops the answer'),
      statements: fc.integer({ min: 1, max: 3 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('the database' as const),
      state: fc.constantFrom('is full', 'is away'),
      ms: fc.constantFrom(10, 2_500, 12_000, 40_000),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.oneof(
      { weight: 14, arbitrary: fc.record({ do: fc.constant('end of troubles' as const) }) },
      // It takes its seven minutes.
      { weight: 1, arbitrary: fc.record({ do: fc.constant('fatal' as const), person, at }) },
    ),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('wait' as const),
      ms: fc.constantFrom(10, 500, 2_500, 12_000),
    }),
  },
]

/** What happens to the shop besides. */
const ofShop: Weighted[] = [
  { weight: 4, arbitrary: fc.record({ do: fc.constant('order' as const), person, at }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('pull' as const), at }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('sign up' as const), person, at }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('erase' as const),
      person,
      by: fc.constantFrom('email', 'account'),
      at,
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('ship' as const),
      order,
      parcel: fc.nat({ max: 2 }),
      at,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('admin saves' as const),
      order,
      what: fc.constantFrom('note', 'lines', 'form'),
      at,
    }),
  },
]

const run = (of: Run['of'], steps: readonly Weighted[]): fc.Arbitrary<Run> =>
  fc.record({
    of: fc.constant(of),
    seed: fc.nat(),
    people: fc.constantFrom(3, 3, 1),
    steps: fc.array(fc.oneof(...steps), { maxLength: 60, size: 'max' }),
  })

const outbox = run('outbox', ofOutbox)
const functions = run('functions', ofOutbox)
const shop = run('shop', [...ofOutbox, ...ofShop])

export const runsOf = {
  outbox,
  functions,
  shop,
  all: fc.oneof(
    { weight: 4, arbitrary: outbox },
    { weight: 1, arbitrary: functions },
    { weight: 2, arbitrary: shop },
  ),
}
