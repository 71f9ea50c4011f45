import { expect, it } from 'vitest'
import { readPhoneNumber } from '../../../../src/core/people/phone-number.js'

it.each([
  ['+12025550123', '+12025550123'],
  ['+1 (202) 555-0123', '+12025550123'],
  ['  +49 30 / 123456 ', '+4930123456'],
  ['+43.1.234567', '+431234567'],
  ['+44 (0)20 7946 0018', '+442079460018'],
])('reads %s as E.164', (text, phoneNumber) => {
  expect(readPhoneNumber(text)).toBe(phoneNumber)
})

it('refuses what is not a number in international format', () => {
  const none = ['', '+', '2025550123', '0049 30 123456', '+1 202', '+1 202 555 0123 4567']
  const wrong = ['+999 123456789', '+1 202 555 0123 ext. 5', '+1-800-FLOWERS', '++12025550123']
  const long = ['+12025550123+', `+${'1'.repeat(65_536)}`, `+1${' '.repeat(65_536)}2025550123`]
  for (const text of [...none, ...wrong, ...long]) {
    expect(readPhoneNumber(text), text.slice(0, 40)).toBeUndefined()
  }
})
