import { describe, expect, it } from 'vitest'
import { resolveText, variableName } from '../../../../src/core/payload/environment-reference.js'

describe('variableName', () => {
  it.each([
    ['${SHIP_USER}', 'SHIP_USER'],
    ['  $SHIP_USER ', 'SHIP_USER'],
    ['$_a1', '_a1'],
  ])('of %j is %s', (text, name) => {
    expect(variableName(text)).toBe(name)
  })

  it('is undefined of plain text', () => {
    const plain = [
      '',
      'ship',
      '$',
      '${}',
      '$1A',
      '$A B',
      '${A',
      '$A}',
      '$A$B',
      'a$B',
      '$$A',
      '$A-B',
    ]
    for (const text of [...plain, '${A}b']) expect(variableName(text), text).toBeUndefined()
  })
})

describe('resolveText', () => {
  const environment: NodeJS.ProcessEnv = {
    NODE_ENV: 'test',
    SHIP_USER: ' ship ',
    EMPTY: '',
    NESTED: '$SHIP_USER',
  }

  it.each([
    ['$SHIP_USER', ' ship '],
    ['${SHIP_USER}', ' ship '],
    [' pa$$word ', ' pa$$word '],
    ['$EMPTY', ''],
    // A value is not read once more, and nothing that an environment inherits.
    ['$NESTED', '$SHIP_USER'],
    ['$GONE', '', 'GONE'],
    ['$toString', '', 'toString'],
  ])('reads %j as %j', (text, value, missingVariable = undefined) => {
    expect(resolveText(text, environment)).toEqual({ value, missingVariable })
  })
})
