import { expect, it } from 'vitest'
import { Problem, problems } from '../../src/core/errors.js'

it('A 500 has the sentence of its code, whatever was given: the caller reads it', () => {
  const given = { message: 'The password of the database is wrong.' }
  expect(new Problem('ORDER_NOT_SAVED', given).message).toBe(problems.ORDER_NOT_SAVED.message)
  expect(new Problem('EMAIL_INVALID', given).message).toBe(given.message)
})
