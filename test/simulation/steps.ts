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

type Of<Do extends Step['do']> = Omit<Extract<Step, { do: Do }>, 'do'>

/** A step of this name, with its values, so often. */
const step = <Do extends Step['do']>(
  weight: number,
  name: Do,
  values: { [Key in keyof Of<Do>]-?: fc.Arbitrary<Of<Do>[Key]> },
): Weighted => ({
  weight,
  arbitrary: fc.record({ do: fc.constant(name), ...values }) as unknown as fc.Arbitrary<Step>,
})

const kind = fc.constantFrom('event', 'event', 'identify', 'subscribe', 'unsubscribe')

/** What happens to the outbox. */
const ofOutbox: Weighted[] = [
  step(120, 'post', { person, kind, at }),
  step(15, 'crowd', {
    kind: fc.constantFrom('event', 'identify'),
    poison: fc.nat({ max: 40 }),
    at,
  }),
  // It takes its seven minutes.
  step(1, 'fatal', { person, at }),
  step(30, 'leave at Klaviyo', { person }),
  step(30, 'kill', { at: orDeliverer, after }),
  step(15, 'stop', { at: orDeliverer }),
  step(30, 'freeze', { at: orDeliverer, ms: fc.constantFrom(3_000, 12_000, 40_000), after }),
  step(15, 'set clock', { at, seconds: fc.constantFrom(-3_600, -30, 30, 3_600) }),
  step(30, 'trouble at Klaviyo', { fault }),
  step(30, 'trouble at the database', {
    at: orDeliverer,
    trouble: fc.constantFrom('refuses', 'drops the answer'),
    statements: fc.integer({ min: 1, max: 3 }),
  }),
  step(15, 'the database', {
    state: fc.constantFrom('is full', 'is away'),
    ms: fc.constantFrom(10, 2_500, 12_000, 40_000),
  }),
  step(14, 'end of troubles', {}),
  step(60, 'wait', { ms: fc.constantFrom(10, 500, 2_500, 12_000) }),
]

/** What happens to the shop besides. */
const ofShop: Weighted[] = [
  step(60, 'order', { person, at }),
  step(30, 'pull', { at }),
  step(15, 'sign up', { person, at }),
  step(15, 'erase', { person, by: fc.constantFrom('email', 'account'), at }),
  step(45, 'ship', { order, parcel: fc.nat({ max: 2 }), at }),
  step(30, 'admin saves', { order, what: fc.constantFrom('note', 'lines', 'form'), at }),
]

const run = (of: Run['of'], steps: readonly Weighted[]): fc.Arbitrary<Run> =>
  fc.record({
    of: fc.constant(of),
    seed: fc.nat(),
    people: fc.constantFrom(3, 3, 1),
    steps: fc.array(fc.oneof(...steps), { maxLength: 60, size: 'max' }),
  })

const each = {
  outbox: run('outbox', ofOutbox),
  functions: run('functions', ofOutbox),
  shop: run('shop', [...ofOutbox, ...ofShop]),
}

export const runsOf = {
  ...each,
  all: fc.oneof(
    { weight: 4, arbitrary: each.outbox },
    { weight: 1, arbitrary: each.functions },
    { weight: 2, arbitrary: each.shop },
  ),
}
