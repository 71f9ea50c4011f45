import fc from 'fast-check'
import { allScopes, callNames } from '../../dev/klaviyo/calls.ts'
import type { Fault } from '../../dev/klaviyo/faults.ts'
import { productChanges } from './catalog.js'
import { couponChanges } from './coupons.js'
import { wishKinds } from './model.js'
import { reviewChanges, reviewTroubles } from './reviews.js'
import { deliverer, type Aim } from './sim-process.js'
import type { Run, Step } from './step.js'

const at = fc.nat(2)
const orDeliverer = fc.constantFrom(0, 1, 2, deliverer, deliverer)
const order = fc.nat(3)
const person = fc.nat(2)
const isProcessed = fc.boolean()
const isLast = fc.boolean()
const ofCrowd = fc.constantFrom('event', 'identify')
const ofOutage = fc.constantFrom('event', 'identify', 'subscribe')
const trouble = fc.constantFrom('refuses', 'drops the answer')
const state = fc.constantFrom('is full', 'is away')
const upTo = (max: number) => fc.integer({ min: 1, max })

const aimAt = (
  of: Aim['of'],
  mostAfter: number,
  what: Pick<Aim, 'about' | 'sinceCall'> = {},
): fc.Arbitrary<Aim> => fc.nat(mostAfter).map((after) => ({ of, after, ...what }))

/** At once, or with one of the things that it does. A delivery is about fifteen statements and calls. */
const aims: readonly fc.Arbitrary<Aim | undefined>[] = [
  fc.constant(undefined),
  aimAt('anything', 20),
  aimAt('writes', 4),
  aimAt('calls', 2),
  aimAt('writes', 4, { about: 'marketing_sends' }),
  aimAt('calls', 1, { about: 'subscription' }),
]
const aimsOfShop: typeof aims = [
  ...aims,
  aimAt('calls', 2, { about: 'catalog' }),
  aimAt('writes', 1, { about: 'marketing_catalog', sinceCall: 'catalog' }),
  aimAt('writes', 2, { about: 'reviews' }),
]

const faults: readonly { [Key in keyof Fault]: fc.Arbitrary<Fault[Key]> }[] = [
  { kind: fc.constantFrom('reset', 'hang'), times: upTo(3), isProcessed },
  { kind: fc.constant('error'), status: fc.constantFrom(500, 503), times: upTo(10), isProcessed },
  { kind: fc.constantFrom('throttle', 'delay'), seconds: upTo(5), times: upTo(5) },
  { kind: fc.constant('truncate'), times: fc.constant(1) },
]

/** What somebody posts, at once. */
const postKinds = [...wishKinds, 'leaves and returns'] as const

type Of<Do extends Step['do']> = Omit<Extract<Step, { do: Do }>, 'do'>

/** How often each kind of step comes, and its values. */
type Steps = {
  [Do in Step['do']]: [
    weight: number,
    values: { [Key in keyof Of<Do>]-?: fc.Arbitrary<Of<Do>[Key]> },
  ]
}

/** Those of their values that the steps of a run have. */
interface Chosen {
  of: Run['of']
  kind: fc.Arbitrary<(typeof postKinds)[number]>
  fault: fc.Arbitrary<Fault>
  aim: fc.Arbitrary<Aim | undefined>
  ofProduct: fc.Arbitrary<(typeof productChanges)[number]>
  ofReview: fc.Arbitrary<(typeof reviewChanges)[number]>
}

const stepsOf = ({ of, kind, fault, aim, ofProduct, ofReview }: Chosen): Steps => ({
  post: [of === 'shop' ? 30 : 120, { person, kind, at }],
  wait: [60, { ms: fc.constantFrom(10, 500, 2_500, 12_000) }],
  crowd: [30, { kind: ofCrowd, people: fc.constantFrom(3, 30), poison: fc.nat(60), at }],
  'post what is refused': [30, { person, kind: ofCrowd, at }],
  resend: [15, { at }],
  'leave at Klaviyo': [30, { person }],
  kill: [30, { at: orDeliverer, aim }],
  stop: [30, { at: orDeliverer }],
  freeze: [30, { at: orDeliverer, ms: fc.constantFrom(3_000, 12_000, 40_000), aim }],
  'set clock': [
    30,
    { at: orDeliverer, seconds: fc.constantFrom(-3_600, -120, -30, 30, 3_600), isLast, aim },
  ],
  'trouble at Klaviyo': [30, { fault }],
  'trouble with a call': [
    30,
    {
      person,
      of: ofCrowd,
      write: fc.constantFrom('mark', 'result'),
      trouble: fc.constantFrom('refuses', 'drops the answer', 'kill', 'freeze'),
      isAhead: fc.boolean(),
      at,
    },
  ],
  outage: [15, { of: ofOutage, kills: fc.constantFrom(0, 2, 3), hours: fc.constantFrom(1, 3), at }],
  scope: [
    15,
    { lost: fc.constantFrom(undefined, ...allScopes), isTested: fc.boolean(), person, at },
  ],
  'trouble at the database': [30, { at: orDeliverer, trouble, statements: upTo(3), aim }],
  'the database': [15, { state, ms: fc.constantFrom(10, 2_500, 12_000, 40_000) }],
  'end of troubles': [14, {}],
  'back in stock': [
    60,
    { person, what: fc.constantFrom('asks', 'asks when it was back', 'comes back'), at },
  ],
  'coupons run out': [15, { after: fc.nat(5) }],
  coupon: [30, { what: fc.constantFrom(...couponChanges), at }],
  order: [50, { person, at }],
  pull: [45, { at, isShared: fc.boolean(), isOdd: fc.boolean() }],
  erase: [45, { person, objects: fc.boolean(), at }],
  product: [120, { product: fc.nat(3), change: ofProduct, at }],
  review: [90, { review: order, person, change: ofReview, at }],
  ship: [60, { order, parcel: fc.nat(5), at }],
  'admin saves': [45, { order, what: fc.constantFrom('note', 'lines', 'city', 'form'), at }],
})

const ofOutbox: readonly string[] = ['back in stock', 'coupon', 'coupons run out']
const ofOrders: readonly string[] = ['pull', 'erase', 'ship', 'admin saves']
const ofShop: readonly string[] = [...ofOrders, 'order', 'product', 'review']

/** Pages of a pull can only be out of order when there are some. */
const someOrders: readonly Step[] = [
  ...[0, 1, 2, 0].map((person): Step => ({ do: 'order', person, at: 0 })),
  { do: 'wait', ms: 2_500 },
]

const some = <One>(all: readonly One[], minLength = 1) =>
  fc.noShrink(fc.subarray([...all], { minLength }))
const oneOf = <One>(all: readonly One[]) => fc.constantFrom(...all)

export const stepNames = Object.keys(
  stepsOf({
    of: 'shop',
    kind: oneOf(postKinds),
    fault: fc.constant({ kind: 'reset' }),
    aim: fc.constant(undefined),
    ofProduct: oneOf(productChanges),
    ofReview: oneOf(reviewChanges),
  }),
)

/**
 * Each run has some of the kinds of steps, posts, faults, aims and changes alone: what comes once in a thousand runs that
 * have everything comes in one of ten that have little else.
 */
const run = (of: Run['of'], names: fc.Arbitrary<readonly string[]>): fc.Arbitrary<Run> =>
  fc
    .record({
      names,
      posts: some(postKinds),
      faults: some(faults),
      calls: fc.option(some(callNames)),
      aims: some(of === 'shop' ? aimsOfShop : aims),
      ofProducts: some(productChanges),
      ofReviews: some(reviewChanges),
    })
    .chain(({ names, posts, calls, ofProducts, ofReviews, ...chosen }) => {
      const fault = fc.oneof(
        ...chosen.faults.map((values) =>
          fc.record({ ...values, ...(calls && { calls: fc.constant(calls) }) }),
        ),
      )
      const own = {
        of,
        kind: oneOf(posts),
        fault,
        aim: fc.oneof(...chosen.aims),
        // What is deleted leaves no date by which it would be found.
        ofProduct: oneOf([...ofProducts, 'delete', 'delete while it is read'] as const),
        ofReview: oneOf(ofReviews),
      }
      const hasOrders = names.some((name) => ofOrders.includes(name))
      const always = ['post', 'wait', ...(hasOrders ? ['order'] : [])]
      const steps = Object.entries(stepsOf(own))
        .filter(([name]) => always.includes(name) || names.includes(name))
        .filter(([name]) => !(of === 'shop' ? ofOutbox : ofShop).includes(name))
        .map(([name, [weight, values]]) => ({
          weight,
          arbitrary: fc.record({ do: fc.constant(name), ...values }) as fc.Arbitrary<Step>,
        }))
      return fc.record({
        of: fc.constant(of),
        seed: fc.nat(),
        people: fc.constantFrom(3, 1),
        steps: fc
          .tuple(
            of === 'shop' && hasOrders ? oneOf([[], someOrders]) : fc.constant([]),
            fc.array(fc.oneof(...steps), { maxLength: 60, size: 'max' }),
          )
          .map((parts) => parts.flat()),
      })
    })

/** Who is first or what comes before a look decides what these end in; or they take hours of idle looks. */
const notAlike = new Set<Step['do']>([
  'trouble at the database',
  'the database',
  'set clock',
  'leave at Klaviyo',
  'outage',
  'coupons run out',
  'trouble with a call',
])
/** So long an answer takes, and a look for what waits. */
const quietMs = 1_000
/** What waits for longer is an idle look. */
const longestQuietMs = 2_500
/** A lease is over by then, and another process has it. */
const longestFreezeMs = 12_000

const quiet = ({ steps, ...run }: Run): Run => ({
  ...run,
  steps: steps
    .filter((step) => !notAlike.has(step.do))
    .map(alone)
    .flatMap((step) =>
      step.do === 'wait'
        ? step
        : [step, { do: 'wait', ms: step.do === 'freeze' ? step.ms : quietMs }],
    ),
})

/** On SQLite an approved review is told fifteen seconds later, as it is then. */
const changesOfApproved = new Set<string>(['edit', 'delete', ...reviewTroubles])

/** Nothing of it is aimed at a statement or happens at once with another thing, and nothing takes longer than it must. */
function alone(step: Step): Step {
  if (step.do === 'wait') return { ...step, ms: Math.min(step.ms, longestQuietMs) }
  if (step.do === 'freeze')
    return { ...step, ms: Math.min(step.ms, longestFreezeMs), aim: undefined }
  if (step.do === 'kill') return { ...step, aim: undefined }
  if (step.do === 'pull') return { ...step, isShared: false, isOdd: false }
  if (step.do === 'product' && step.change === 'delete while it is read')
    return { ...step, change: 'delete' }
  if (step.do === 'product' && step.change === 'die while it is posted')
    return { ...step, change: 'title' }
  if (step.do === 'review' && changesOfApproved.has(step.change))
    return { ...step, change: 'approve' }
  return step.do === 'ship' ? { ...step, parcel: step.parcel % 3 } : step
}

export type KindOfRuns = Run['of'] | 'all' | 'alike'

/**
 * Runs of one kind, or of all. Those that are `alike` end in what their steps alone decide, and not in how many statements a
 * database needs.
 * @param steps The kinds of steps that each run has beside posts and waits. By default the seed chooses some for each run.
 */
export function runsOf(kind: KindOfRuns, steps?: readonly string[]): fc.Arbitrary<Run> {
  const names = steps === undefined ? some(stepNames, 0) : fc.constant(steps)
  const outbox = run('outbox', names)
  const functions = run('functions', names)
  const shop = run('shop', names)
  const all = fc.oneof(outbox, outbox, outbox, outbox, functions, shop, shop)
  const alike = fc.oneof(outbox, shop).map(quiet)
  return { outbox, functions, shop, all, alike }[kind]
}
