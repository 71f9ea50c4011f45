import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { builtInEvents, defaultSwitches } from '../../../src/events/event-table.js'

it('docs/settings.md says of each built-in event what it is called in code and whether it is on', () => {
  const page = readFileSync(join(import.meta.dirname, '../../../docs/settings.md'), 'utf8')
  const [, marketing = ''] = page.split('## Marketing')
  const [section = ''] = marketing.split('\n## ')
  const rows = [...section.matchAll(/^\| [^|]+ \| `(\w+)` +\| (on|off) +\|/gm)]
  expect(rows.map(([, event, state]) => [event, state])).toEqual(
    builtInEvents.map((event) => [event, defaultSwitches[event] ? 'on' : 'off']),
  )
})
