import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { simulationBreaks } from '../breaks/simulation-breaks.js'

const [, section = ''] = readFileSync('docs/simulation.md', 'utf8').split(
  '## Which rule, which step\n',
)
const rows = [...section.matchAll(/^\| (.+?) +\| `(.+?)` +\| (.+?) +\|$/gm)].map(
  ([, rule = '', step = '', fault = '']) => ({ rule, step, fault }),
)

describe('docs/simulation.md', () => {
  it('says of more than ten rules which step breaks them', () => {
    expect(rows.length).toBeGreaterThan(10)
  })

  it.each(rows)(
    'names a rule, a step and a break that are there: $rule',
    ({ rule, step, fault }) => {
      expect(readFileSync('docs/interface.md', 'utf8')).toContain(rule)
      expect(simulationBreaks.find((each) => each.fault === fault)?.steps).toContain(step)
    },
  )
})
