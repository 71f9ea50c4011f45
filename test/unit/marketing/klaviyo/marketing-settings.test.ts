import { expect, it } from 'vitest'
import {
  marketingSettingTable,
  resolveMarketingSettings,
} from '../../../../src/marketing/settings/marketing-settings.js'
import { defaultMarketingSettings } from '../../../support/default-settings.js'

it('variables of the environment are read for the keys alone', () => {
  const keys = { privateApiKey: '$SECRET', publicApiKey: ' ${SECRET} ' }
  const stored = { ...defaultMarketingSettings, ...keys, eventPrefix: '$SECRET' }
  expect(resolveMarketingSettings(stored, { NODE_ENV: 'test', SECRET: 'hush' })).toMatchObject({
    privateApiKey: 'hush',
    publicApiKey: 'hush',
    eventPrefix: '$SECRET',
  })
})

it('names of status events are trimmed, and go by the first whole row of a status', () => {
  const rows = [
    { status: ' shipped ', event: ' Fulfilled Order ' },
    { status: 'shipped', event: 'Second' },
    { status: '', event: 'Nothing' },
    { status: 'completed', event: ' ' },
  ]
  const read = [{ status: 'shipped', event: 'Fulfilled Order' }]
  expect(marketingSettingTable.statusEvents.read(rows, [])).toEqual(read)
})
