import { nullable, text } from '../check.ts'
import { isEmail, isPhoneNumber, readDateTime } from '../formats.ts'

// Fields that several bodies have.

export const anyText = nullable(text())
export const email = nullable(text(isEmail, 'Invalid email address'))
export const phoneNumber = nullable(
  text(isPhoneNumber, 'Invalid phone number format (Example of a valid format: +12345678901)'),
)
export const dateTime = nullable(
  text((value) => readDateTime(value) !== undefined, 'Invalid date-time.'),
)

export const isFilled = (value: unknown): boolean => typeof value === 'string' && value !== ''
