import { describe, expect, it } from 'vitest'
import {
  defaultShippingSettings,
  missingVariables,
} from '../../../src/shipping/shipping-settings.js'

const environment = (variables: Record<string, string>): NodeJS.ProcessEnv => ({
  NODE_ENV: 'test',
  ...variables,
})

describe('missingVariables', () => {
  it('names each variable once that the environment lacks', () => {
    const stored = {
      ...defaultShippingSettings,
      username: '$A',
      password: '${A}',
      statusHandle: '$C',
    }
    expect(missingVariables(stored, environment({}))).toEqual(['A'])
    expect(missingVariables(stored, environment({ A: '' }))).toEqual([])
  })

  it('is empty when no setting names a variable', () => {
    expect(missingVariables(defaultShippingSettings, environment({}))).toEqual([])
  })
})
