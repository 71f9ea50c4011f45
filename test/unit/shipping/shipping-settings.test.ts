import { expect, it } from 'vitest'
import {
  defaultShippingSettings as defaults,
  missingVariables,
} from '../../../src/shipping/shipping-settings.js'

it('each variable that the environment lacks is named once', () => {
  const stored = { ...defaults, username: '$A', password: '${A}', statusHandle: '$C' }
  expect(missingVariables(stored, { NODE_ENV: 'test' })).toEqual(['A'])
  expect(missingVariables(stored, { NODE_ENV: 'test', A: '' })).toEqual([])
})
