import { describe, expect, it } from 'vitest'
import {
  defaultShippingSettings,
  missingVariables,
  resolveShippingSettings,
} from '../../../src/shipping/shipping-settings.js'

const environment = (variables: Record<string, string>): NodeJS.ProcessEnv => ({
  NODE_ENV: 'test',
  ...variables,
})

const resolve = (
  changes: Partial<typeof defaultShippingSettings>,
  variables: Record<string, string> = {},
) => resolveShippingSettings({ ...defaultShippingSettings, ...changes }, environment(variables))

describe('resolveShippingSettings', () => {
  it.each([
    [1, 1],
    [25, 25],
    ['50', 50],
    [' 50 ', 50],
    [10_000, 10_000],
    ['2.9', 2],
  ])('reads a page size of %j as %i', (pageSize, expected) => {
    expect(resolve({ pageSize }).pageSize).toBe(expected)
  })

  it.each([0, '0', -1, '-10', '', '  ', 'many', null, NaN, Infinity, '1e999', '0.5', '12 orders'])(
    'falls back to 25 orders a page for %j',
    (pageSize) => {
      expect(resolve({ pageSize }).pageSize).toBe(25)
    },
  )

  it('reads variables for the credentials, without trimming them', () => {
    const settings = resolve(
      { username: '$USER_NAME', password: '${PASS}' },
      { USER_NAME: 'ship', PASS: ' a:b ' },
    )
    expect(settings.credentials).toEqual({ username: 'ship', password: ' a:b ' })
  })

  it('reads no variable for any other text: whoever sees the setting would read a secret', () => {
    const texts = {
      storeField: '$SECRET',
      statusHandle: '$SECRET',
      matrixField: '${SECRET}',
      entryType: '$SECRET',
      carrierField: '$SECRET',
    }
    expect(resolve(texts, { SECRET: 'hush' })).toMatchObject(texts)
  })

  it('keeps the username as it was written, to be shown, and the password nowhere else', () => {
    const settings = resolve({ username: '$SECRET', password: '$SECRET' }, { SECRET: 'hush' })
    expect(settings.username).toBe('$SECRET')
    expect(settings).not.toHaveProperty('password')
  })

  it('has a blank where a variable is not set', () => {
    expect(resolve({ username: '$GONE', password: 'x' }).credentials).toEqual({
      username: '',
      password: 'x',
    })
  })
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
