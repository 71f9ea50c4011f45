import { expect, it } from 'vitest'
import { missingVariables } from '../../../src/shipping/shipping-settings.js'
import { defaultShippingSettings as defaults } from '../../support/default-settings.js'

it('each variable that the environment lacks is named once', () => {
  const stored = { ...defaults, username: '$A', password: '${A}', statusHandle: '$C' }
  expect(missingVariables(stored, { NODE_ENV: 'test' })).toEqual(['A'])
  expect(missingVariables(stored, { NODE_ENV: 'test', A: '' })).toEqual([])
})
