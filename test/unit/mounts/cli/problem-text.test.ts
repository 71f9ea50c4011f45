import { DrizzleQueryError } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { problemText } from '../../../../src/mounts/cli/problem-text.js'

it('A command says why a statement failed, and no value of it', () => {
  const cause = new Error('SQLITE_BUSY: database is locked')
  const failed = new DrizzleQueryError(
    'select * from users where email = ?',
    ['ada@x.example'],
    cause,
  )
  expect(problemText(new Error('The erasure failed', { cause: failed }))).toBe(cause.message)
})

it.each([
  [new TypeError('There is no email.'), 'There is no email.'],
  ['a text', 'a text'],
])('A command says %s as it is', (thrown, text) => {
  expect(problemText(thrown)).toBe(text)
})
