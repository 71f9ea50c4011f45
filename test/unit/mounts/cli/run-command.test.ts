import type { SanitizedConfig } from 'payload'
import { expect, it } from 'vitest'
import { openPayload, problemText } from '../../../../src/mounts/cli/run-command.js'
import { DrizzleQueryError } from 'drizzle-orm'

it('says which variables a command needs where the store has no secret', async () => {
  await expect(openPayload({ secret: '' } as SanitizedConfig)).rejects.toThrow('PAYLOAD_SECRET')
})

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
