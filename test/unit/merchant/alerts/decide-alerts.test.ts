import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Condition } from '../../../../src/merchant/alerts/conditions.js'
import { conditionNames } from '../../../support/all-matters.js'
import type { Alert, MessageType } from '../../../../src/merchant/alerts/alert.js'
import type { MatterState } from '../../../../src/core/matter.js'
import {
  decideAlerts,
  digestDue,
  type MatterStates,
} from '../../../../src/merchant/alerts/decide-alerts.js'

const minuteMs = 60_000

const ofEach = <Value>(value: Value) =>
  Object.fromEntries(conditionNames.map((name) => [name, value])) as Record<Condition, Value>

const open: MatterState = { isOpen: true, facts: { count: 1 } }
const gone: MatterState = { isOpen: false, over: { why: 'gone' } }
const pulled: MatterState = { isOpen: false, over: { why: 'pulled' } }

interface Round {
  states: MatterStates
  rule: string
  /** Since the round before. */
  minutes: number
}

interface Said {
  type: MessageType
  at: number
  holds: boolean
  returned: number
}

/** What is said of each condition, round after round, and what is still open. */
function watched(rounds: readonly Round[]) {
  const said = Object.fromEntries(conditionNames.map((name) => [name, [] as Said[]])) as Record<
    Condition,
    Said[]
  >
  let current: Alert[] = []
  let at = 0
  for (const { states, rule, minutes } of rounds) {
    at += minutes * minuteMs
    const now = new Date(at)
    const changes = decideAlerts(states, current, { now, rules: ofEach(rule), channels: [] })
    const touched = [...changes.change, ...changes.close].map(({ id }) => id)
    current = [
      ...current.filter(({ id }) => !touched.includes(id)),
      ...changes.begin,
      ...changes.change,
    ]
    for (const { condition, told } of [...changes.begin, ...changes.change]) {
      const { type, holds, returned } = told
      if (told.at !== now.toISOString()) continue
      said[condition].push({ type, at, holds, returned: returned?.times ?? 0 })
    }
  }
  return { said, current }
}

const rounds = fc.array(
  fc.record<Round>({
    states: fc.record(ofEach(fc.constantFrom<MatterState>(open, gone, pulled, 'unknown', 'off'))),
    rule: fc.constantFrom('12 hours', '48 hours'),
    minutes: fc.constantFrom(1, 1, 1, 20, 90),
  }),
)

/** Without switches and changes of settings. */
const flapping = fc.array(
  fc.record<Round>({
    states: fc.record(ofEach(fc.constantFrom<MatterState>(open, open, gone, 'unknown'))),
    rule: fc.constant('12 hours'),
    minutes: fc.constantFrom(1, 1, 7, 61),
  }),
  { maxLength: 200 },
)

describe('decideAlerts', () => {
  it('ends the alerts of a product that the shop has left, and does not tell it', () => {
    const at = (minutes: number) => ({ now: new Date(minutes * minuteMs), channels: [] })
    const rules = { noPull: '12 hours' }
    const { begin } = decideAlerts({ noPull: open }, [], { ...at(0), rules })
    const { change } = decideAlerts({}, begin, { ...at(1), rules: {} })
    expect(change).toEqual([{ ...begin[0], endedAt: new Date(minuteMs), over: undefined }])
    const { close } = decideAlerts({}, change, { ...at(62), rules: {} })
    expect(close).toEqual(change)
  })

  it('begins and ends in turn, and says at most one thing an hour', () => {
    fc.assert(
      fc.property(flapping, (sequence) => {
        for (const said of Object.values(watched(sequence).said)) {
          said
            .filter(({ type }) => type !== 'repeated')
            .forEach(({ type }, index) => expect(type === 'begun').toBe(index % 2 === 0))
          said.slice(1).forEach(({ at }, index) => {
            expect(at - Number(said[index]?.at)).toBeGreaterThanOrEqual(60 * minuteMs)
          })
        }
      }),
    )
  })

  it('has said within an hour how it is, and how often it began', () => {
    fc.assert(
      fc.property(flapping, (sequence) => {
        const quiet = ofEach<MatterState>('unknown')
        const { said } = watched([
          ...sequence,
          { states: quiet, rule: '12 hours', minutes: 60 },
          { states: quiet, rule: '12 hours', minutes: 60 },
        ])
        for (const name of conditionNames) {
          const known = sequence
            .map(({ states }) => states[name])
            .filter((one) => one !== 'unknown')
          const begins = known.filter((one, index) => one === open && known[index - 1] !== open)
          expect(said[name].at(-1)?.holds ?? false).toBe(known.at(-1) === open)
          const told = said[name].map(({ type, returned }) => returned || Number(type === 'begun'))
          expect(told.reduce((sum, times) => sum + times, 0)).toBe(begins.length)
        }
      }),
    )
  })

  it('ends only what it has begun, of whatever is read', () => {
    fc.assert(
      fc.property(rounds, (sequence) => {
        const { said, current } = watched(sequence)
        for (const one of Object.values(said)) {
          one.forEach(({ type }, index) => {
            if (type === 'ended') expect(one[index - 1]?.holds).toBe(true)
          })
        }
        for (const name of conditionNames) {
          expect(current.filter(({ condition }) => condition === name).length).toBeLessThan(2)
        }
      }),
    )
  })
})

const begunAt = (text: string) => ({ begunAt: new Date(text) })

describe('The reminder of a day', () => {
  const yesterday = begunAt('2026-11-22T12:00:00Z')
  const due = (now: string, open = [yesterday], timezone = 'Europe/Berlin') =>
    digestDue(open, { now: new Date(now), hour: 8, timezone })

  it('is due from its hour in the shop on, with the day of the shop', () => {
    expect(due('2026-11-23T06:59:59Z')).toBeUndefined()
    expect(due('2026-11-23T07:00:00Z')?.day).toBe('2026-11-23')
    expect(due('2026-11-23T22:59:59Z')?.day).toBe('2026-11-23')
    expect(due('2026-11-23T23:00:00Z')).toBeUndefined()
    expect(due('2026-11-22T23:00:00Z', [yesterday], 'Pacific/Auckland')?.day).toBe('2026-11-23')
  })

  it('leaves out what began after its hour, which was just reported', () => {
    const today = begunAt('2026-11-23T07:00:01Z')
    expect(due('2026-11-23T09:00:00Z', [yesterday, today])?.alerts).toEqual([yesterday])
    expect(due('2026-11-23T09:00:00Z', [today])).toBeUndefined()
    expect(due('2026-11-24T07:00:00Z', [today])?.alerts).toEqual([today])
  })

  it('is not silenced by a clock that is set back', () => {
    const round = (state: MatterState, minutes: number): Round => ({
      states: { ...ofEach<MatterState>('off'), noPull: state },
      rule: '12 hours',
      minutes,
    })
    const { said } = watched([round(open, 600), round(gone, -300), round(gone, 1)])
    expect(said.noPull.map(({ type }) => type)).toEqual(['begun', 'ended'])
  })
})
