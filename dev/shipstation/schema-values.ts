import { z } from 'zod'

import { readDateText } from './date-text.ts'

// The simple types of ShipStation's published schema, each read from an element of parsed XML.

const content = z.string({
  error: (issue) =>
    issue.input === undefined ? 'is missing' : 'must hold one text, and no elements',
})

/** At most so many characters; characters, not UTF-16 units, as the schema counts. */
export const text = (maxLength = Infinity) =>
  content.refine((value) => [...value].length <= maxLength, {
    error: `is longer than ${maxLength} characters`,
  })

/** A text whose element may be left out. */
export const optionalText = (maxLength = Infinity) => text(maxLength).default('')

export const countryCode = content.refine((value) => [...value].length === 2, {
  error: 'must be exactly 2 characters',
})

export const decimal = content
  .refine((value) => /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)$/.test(value.trim()), {
    error: 'is not a decimal number',
  })
  .transform(Number)

/** `xs:int`: a whole number of 32 bits. */
export const integer = content
  .refine((value) => /^[+-]?\d+$/.test(value.trim()) && Number(value) === (Number(value) | 0), {
    error: 'is not a whole number',
  })
  .transform(Number)

export const flag = content
  .refine((value) => /^(?:true|false|1|0)$/.test(value.trim()), {
    error: 'must be true or false',
  })
  .transform((value) => ['true', '1'].includes(value.trim()))

/** Read as UTC, as ShipStation does. */
export const dateTime = content.transform((value, context): Date => {
  const date = readDateText(value)
  if (date) return date
  context.addIssue({ code: 'custom', message: 'is not a date of the shape MM/dd/yyyy HH:mm' })
  return z.NEVER
})

export const weightUnits = content.regex(
  /^(?:pounds?|lbs?|grams?|gm|oz|ounces|Pounds?|Lbs?|Grams?|Gm|Oz|Ounces|POUNDS?|LBS?|GRAMS?|GM|OZ|OUNCES)$/,
  { error: 'is not a unit of weight that ShipStation knows' },
)

/** An element that holds elements, and no text but space. Unknown ones are passed over. */
export const elements = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z.preprocess(
    (value, context) => {
      if (typeof value === 'string') return value.trim() === '' ? {} : value
      if (hasStrayText(value)) {
        context.addIssue({ code: 'custom', message: 'holds text between its elements' })
      }
      return value
    },
    z.object(shape, {
      error: (issue) => (issue.input === undefined ? 'is missing' : 'must hold elements, once'),
    }),
  )

const hasStrayText = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  '#text' in value &&
  typeof value['#text'] === 'string' &&
  value['#text'].trim() !== ''
