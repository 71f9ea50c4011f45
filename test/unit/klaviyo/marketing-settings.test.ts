import { describe, expect, it } from 'vitest'
import {
  defaultMarketingSettings,
  marketingSettingTable,
  resolveMarketingSettings,
} from '../../../src/marketing-settings/marketing-settings.js'
import type { StatusEvent } from '../../../src/marketing-settings/status-events-setting.js'

const resolved = (statusEvents: StatusEvent[]) =>
  marketingSettingTable.statusEvents.read(statusEvents, [])

describe('variables of the environment', () => {
  it('are read for the keys alone', () => {
    const stored = {
      ...defaultMarketingSettings,
      privateApiKey: '$SECRET',
      publicApiKey: ' ${SECRET} ',
      eventPrefix: '$SECRET',
    }
    const environment: NodeJS.ProcessEnv = { NODE_ENV: 'test', SECRET: 'hush' }
    expect(resolveMarketingSettings(stored, environment)).toMatchObject({
      privateApiKey: 'hush',
      publicApiKey: 'hush',
      eventPrefix: '$SECRET',
    })
  })
})

describe('the names of status events', () => {
  it('are trimmed, and rows without a status or a name count for nothing', () => {
    expect(
      resolved([
        { status: ' shipped ', event: ' Fulfilled Order ' },
        { status: '', event: 'Nothing' },
        { status: 'completed', event: ' ' },
      ]),
    ).toEqual([{ status: 'shipped', event: 'Fulfilled Order' }])
  })

  it('go by the first row of a status', () => {
    expect(
      resolved([
        { status: 'shipped', event: 'First' },
        { status: 'shipped', event: 'Second' },
      ]),
    ).toEqual([{ status: 'shipped', event: 'First' }])
  })
})
