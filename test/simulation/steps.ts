import fc from 'fast-check'
import { allScopes, callNames } from '../../dev/klaviyo/calls.ts'
import type { Fault } from '../../dev/klaviyo/faults.ts'
import { productChanges } from './catalog.js'
import { couponChanges } from './coupons.js'
import { wishKinds, type Wish } from './model.js'
import { reviewChanges } from './reviews.js'
import type { Aim } from './sim-process.js'
import type { Run, Step } from './world.js'

const at = fc.nat(2)
/** The last one is whoever delivers. */
const orDeliverer = fc.nat(3)
const order = fc.nat(3)
const person = fc.nat(2)
const isProcessed = fc.boolean()
const ofCrowd = fc.constantFrom('event', 'identify')
const trouble = fc.constantFrom('refuses', 'drops the answer')
const state = fc.constantFrom('is full', 'is away')
const upTo = (max: number) => fc.integer({ min: 1, max })

/** At once, or with one of the things that it does. A delivery is about fifteen statements and calls. */
const aim: fc.Arbitrary<Aim | undefined> = fc.oneof(
  fc.constant(undefined),
  fc.record({ of: fc.constant('anything' as const), after: fc.nat(20) }),
  fc.record({ of: fc.constant('writes' as const), after: fc.nat(4) }),
  fc.record({ of: fc.constant('calls' as const), after: fc.nat(2) }),
)

const faults: readonly { [Key in keyof Fault]: fc.Arbitrary<Fault[Key]> }[] = [
  { kind: fc.constantFrom('reset', 'hang'), times: upTo(3), isProcessed },
  { kind: fc.constant('error'), status: fc.constantFrom(500, 503), times: upTo(10), isProcessed },
  { kind: fc.constantFrom('throttle', 'delay'), seconds: upTo(5), times: upTo(5) },
  { kind: fc.constant('truncate'), times: fc.constant(1) },
]

type Of<Do extends Step['do']> = Omit<Extract<Step, { do: Do }>, 'do'>

/** How often each kind of step comes, and its values. */
type Steps = {
  [Do in Step['do']]: [
    weight: number,
    values: { [Key in keyof Of<Do>]-?: fc.Arbitrary<Of<Do>[Key]> },
  ]
}

const stepsOf = (kind: fc.Arbitrary<Wish['kind']>, fault: fc.Arbitrary<Fault>): Steps => ({
  post: [120, { person, kind, at }],
  wait: [60, { ms: fc.constantFrom(10, 500, 2_500, 12_000) }],
  crowd: [30, { kind: ofCrowd, people: fc.constantFrom(3, 30), poison: fc.nat(60), at }],
  'post what is refused': [30, { person, kind: ofCrowd, at }],
  resend: [15, { at }],
  'leave at Klaviyo': [30, { person }],
  kill: [30, { at: orDeliverer, aim }],
  stop: [15, { at: orDeliverer }],
  freeze: [30, { at: orDeliverer, ms: fc.constantFrom(3_000, 12_000, 40_000), aim }],
  'set clock': [15, { at, seconds: fc.constantFrom(-3_600, -30, 30, 3_600) }],
  'trouble at Klaviyo': [30, { fault }],
  outage: [15, { of: ofCrowd, kills: fc.constantFrom(0, 2, 3), hours: fc.constantFrom(1, 3), at }],
  scope: [
    15,
    { lost: fc.constantFrom(undefined, ...allScopes), isTested: fc.boolean(), person, at },
  ],
  'trouble at the database': [30, { at: orDeliverer, trouble, statements: upTo(3), aim }],
  'the database': [15, { state, ms: fc.constantFrom(10, 2_500, 12_000, 40_000) }],
  'end of troubles': [14, {}],
  ...ofOutbox,
  ...ofShop,
})

const ofOutbox: Pick<Steps, 'back in stock' | 'coupon' | 'coupons run out'> = {
  'back in stock': [30, { person, what: fc.constantFrom('asks', 'asks', 'comes back'), at }],
  'coupons run out': [15, { after: fc.nat(5) }],
  coupon: [30, { what: fc.constantFrom(...couponChanges), at }],
}

type OfShop = 'order' | 'pull' | 'erase' | 'ship' | 'admin saves' | 'product' | 'review'

const ofShop: Pick<Steps, OfShop> = {
  order: [60, { person, at }],
  pull: [30, { at, isShared: fc.boolean(), isOdd: fc.boolean() }],
  erase: [15, { person, objects: fc.boolean(), at }],
  product: [45, { product: fc.nat(3), change: fc.constantFrom(...productChanges), at }],
  review: [45, { review: order, person, change: fc.constantFrom(...reviewChanges), at }],
  ship: [45, { order, parcel: fc.nat(4), at }],
  'admin saves': [30, { order, what: fc.constantFrom('note', 'lines', 'city', 'form'), at }],
}

const some = <One>(all: readonly One[], minLength = 1) =>
  fc.noShrink(fc.subarray([...all], { minLength }))

export const stepNames = Object.keys(
  stepsOf(fc.constantFrom(...wishKinds), fc.constant({ kind: 'reset' })),
)

/**
 * Each run has some of the kinds of steps, posts and faults alone: what comes once in a thousand runs that have
 * everything comes in one of ten that have little else.
 */
const run = (of: Run['of']): fc.Arbitrary<Run> =>
  fc
    .tuple(some(stepNames, 0), some(wishKinds), some(faults), fc.option(some(callNames)))
    .chain(([chosen, kindsOfPosts, kindsOfFaults, calls]) => {
      const fault = fc.oneof(
        ...kindsOfFaults.map((values) =>
          fc.record({ ...values, ...(calls && { calls: fc.constant(calls) }) }),
        ),
      )
      const steps = Object.entries(stepsOf(fc.constantFrom(...kindsOfPosts), fault))
        .filter(([name]) => ['post', 'wait', 'order', ...chosen].includes(name))
        .filter(([name]) => !(name in (of === 'shop' ? ofOutbox : ofShop)))
        .map(([name, [weight, values]]) => ({
          weight,
          arbitrary: fc.record({ do: fc.constant(name), ...values }) as fc.Arbitrary<Step>,
        }))
      return fc.record({
        of: fc.constant(of),
        seed: fc.nat(),
        people: fc.constantFrom(3, 1),
        steps: fc.array(fc.oneof(...steps), { maxLength: 60, size: 'max' }),
      })
    })

const [outbox, functions, shop] = [run('outbox'), run('functions'), run('shop')]
const all = fc.oneof(outbox, outbox, outbox, outbox, functions, shop, shop)

/** Who is first or what comes before a look decides what these end in; or they take hours of idle looks. */
const notAlike = new Set<Step['do']>([
  'trouble at the database',
  'the database',
  'set clock',
  'leave at Klaviyo',
  'outage',
  'coupons run out',
])
/** So long an answer takes, and a look for what waits. */
const quietMs = 1_000
const wait = (ms: number): Step => ({ do: 'wait', ms })

const quiet = ({ steps, ...run }: Run): Run => ({
  ...run,
  steps: steps
    .filter((step) => !notAlike.has(step.do))
    .flatMap((step) =>
      step.do === 'wait' ? step : [alone(step), wait(step.do === 'freeze' ? step.ms : quietMs)],
    ),
})

/** Nothing of it is aimed at a statement or happens at once with another thing. */
function alone(step: Step): Step {
  if (step.do === 'freeze' || step.do === 'kill') return { ...step, aim: undefined }
  if (step.do === 'pull') return { ...step, isShared: false, isOdd: false }
  return step.do === 'ship' ? { ...step, parcel: step.parcel % 3 } : step
}

/** What they end in is decided by the steps alone, and not by how many statements a database needs. */
const alike = fc.oneof(outbox, shop).map(quiet)

export const runsOf = { outbox, functions, shop, all, alike }
