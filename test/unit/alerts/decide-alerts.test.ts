import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { conditionNames, type Condition } from '../../../src/alerts/conditions.js'
import {
  decideAlerts,
  type Alert,
  type Reading,
  type Readings,
} from '../../../src/alerts/decide-alerts.js'

const reading = fc.constantFrom<Reading>(
  { holds: true, facts: { count: 1 } },
  { holds: true, facts: {} },
  { holds: false },
  'unknown',
  'off',
)
const rounds = fc.array(
  fc.record(
    Object.fromEntries(conditionNames.map((name) => [name, reading])) as Record<
      Condition,
      typeof reading
    >,
  ),
)

/** What is said of each condition, round after round. */
function told(sequence: readonly Readings[]): Record<Condition, string[]> {
  const said = Object.fromEntries(conditionNames.map((name) => [name, [] as string[]])) as Record<
    Condition,
    string[]
  >
  let open: Alert[] = []
  sequence.forEach((readings, round) => {
    const { begin, end, drop } = decideAlerts(readings, open)
    for (const { condition } of begin) said[condition].push('begun')
    for (const { condition } of end) said[condition].push('ended')
    for (const { condition } of drop) said[condition].push('dropped')
    open = [
      ...open.filter((alert) => !end.includes(alert) && !drop.includes(alert)),
      ...begin.map(({ condition, facts }) => ({
        id: `${condition}-${round}`,
        condition,
        begunAt: new Date(round),
        endedAt: undefined,
        facts,
      })),
    ]
  })
  return said
}

describe('decideAlerts', () => {
  it('begins and ends in turn, whatever is read', () => {
    fc.assert(
      fc.property(rounds, (sequence) => {
        for (const said of Object.values(told(sequence))) {
          said.forEach((one, index) => {
            expect(one === 'begun').toBe(index % 2 === 0)
          })
        }
      }),
    )
  })

  it('says of each condition what was last known of it', () => {
    fc.assert(
      fc.property(rounds, (sequence) => {
        const said = told(sequence)
        for (const name of conditionNames) {
          const known = sequence
            .map((readings) => readings[name])
            .filter((one) => one !== 'unknown')
          const last = known.at(-1)
          const holds = typeof last === 'object' && last.holds
          expect(said[name].at(-1) === 'begun').toBe(holds)
        }
      }),
    )
  })

  it('says that nothing is over when the merchant only looks away', () => {
    const off = Object.fromEntries(conditionNames.map((name) => [name, 'off'])) as Record<
      Condition,
      Reading
    >
    const broken: Readings = { ...off, noPull: { holds: true, facts: {} } }
    expect(told([broken, off, broken]).noPull).toEqual(['begun', 'dropped', 'begun'])
  })
})
