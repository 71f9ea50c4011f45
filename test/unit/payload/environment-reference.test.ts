import { describe, expect, it } from 'vitest'
import { resolveText, variableName } from '../../../src/payload/environment-reference.js'

describe('variableName', () => {
  it.each([
    ['$SHIP_USER', 'SHIP_USER'],
    ['${SHIP_USER}', 'SHIP_USER'],
    ['  $SHIP_USER ', 'SHIP_USER'],
    ['$_a1', '_a1'],
  ])('of %j is %s', (text, name) => {
    expect(variableName(text)).toBe(name)
  })

  it.each([
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
    '${A}b',
  ])('of %j is undefined: it is plain text', (text) => {
    expect(variableName(text)).toBeUndefined()
  })
})

describe('resolveText', () => {
  const environment: NodeJS.ProcessEnv = {
    NODE_ENV: 'test',
    SHIP_USER: ' ship ',
    EMPTY: '',
    NESTED: '$SHIP_USER',
  }

  it('reads $NAME and ${NAME} from the environment', () => {
    for (const text of ['$SHIP_USER', '${SHIP_USER}']) {
      expect(resolveText(text, environment)).toEqual({
        value: ' ship ',
        missingVariable: undefined,
      })
    }
  })

  it('takes any other text as it is', () => {
    expect(resolveText(' pa$$word ', environment)).toEqual({
      value: ' pa$$word ',
      missingVariable: undefined,
    })
  })

  it('is blank for a variable that is not set, and names it', () => {
    expect(resolveText('$GONE', environment)).toEqual({ value: '', missingVariable: 'GONE' })
  })

  it('is blank for an empty variable, which is set', () => {
    expect(resolveText('$EMPTY', environment)).toEqual({ value: '', missingVariable: undefined })
  })

  it('does not read the value of a variable once more', () => {
    expect(resolveText('$NESTED', environment).value).toBe('$SHIP_USER')
  })

  it('reads nothing that an environment inherits', () => {
    expect(resolveText('$toString', environment).value).toBe('')
  })
})
