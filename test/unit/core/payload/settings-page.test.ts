import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { builtInEvents, defaultSwitches } from '../../../../src/marketing/events/event-table.js'
import { adminWords } from '../../../../src/core/translations/en.js'
import {
  defaultMarketingSettings,
  defaultShippingSettings,
} from '../../../support/default-settings.js'

const page = readFileSync(join(import.meta.dirname, '../../../../docs/settings.md'), 'utf8')

describe('The page of settings', () => {
  it.each([
    ['Shipping', defaultShippingSettings],
    ['Marketing', defaultMarketingSettings],
  ])('has the label, name and default of each setting: %s', (heading, defaults) => {
    const [, section = ''] = page.split(`\n## ${heading}\n`)
    const [table = ''] = /(^\|.*\n)+/m.exec(section) ?? []
    const rows = [...table.matchAll(/^\| ([^`|]+?) +\| `(\w+)` +\| (.+?) +\|/gm)]
    expect(rows.map(([, label, name, byDefault]) => [label, name, byDefault])).toEqual(
      Object.entries(defaults).map(([name, value]) => [
        adminWords[name as keyof typeof adminWords],
        name,
        asWritten(value),
      ]),
    )
  })

  it('says of each built-in event what it is called in code and whether it is on', () => {
    const [, marketing = ''] = page.split('## Marketing')
    const [section = ''] = marketing.split('\n## ')
    const rows = [...section.matchAll(/^\| [^|]+ \| `(\w+)` +\| (on|off) +\|/gm)]
    expect(rows.map(([, event, state]) => [event, state])).toEqual(
      builtInEvents.map((event) => [event, defaultSwitches[event] ? 'on' : 'off']),
    )
  })
})

function asWritten(value: unknown): string | object {
  if (value === '') return 'blank'
  if (Array.isArray(value)) return expect.stringMatching(/^(any|none)$/) as object
  return typeof value === 'object' ? 'all on' : `\`${String(value)}\``
}
