import { describe, expect, it } from 'vitest'
import {
  defaultShippingSettings,
  missingVariables,
  resolveShippingSettings,
} from '../../../src/settings/shipping-settings.js'

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

  it('reads variables for every text, and the credentials without trimming them', () => {
    const settings = resolve(
      {
        username: '$USER_NAME',
        password: '${PASS}',
        storeField: '$FIELD',
        statusHandle: ' $STATUS',
        matrixField: '${MATRIX}',
      },
      { USER_NAME: 'ship', PASS: ' a:b ', FIELD: ' warehouse ', STATUS: 'sent', MATRIX: 'parcels' },
    )
    expect(settings).toMatchObject({
      credentials: { username: 'ship', password: ' a:b ' },
      storeField: 'warehouse',
      statusHandle: 'sent',
      matrixField: 'parcels',
    })
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
      password: '${B}',
      storeField: '$A',
      statusHandle: '$C',
    }
    expect(missingVariables(stored, environment({ C: '' }))).toEqual(['A', 'B'])
  })

  it('is empty when no setting names a variable', () => {
    expect(missingVariables(defaultShippingSettings, environment({}))).toEqual([])
  })
})
