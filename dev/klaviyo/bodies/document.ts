import { object, oneOf, text, type Check } from '../check.ts'

// The shapes that all documents of the API share: JSON:API.

export const resource = (
  type: string,
  { required, fields }: { required: readonly string[]; fields: Readonly<Record<string, Check>> },
): Check =>
  object({
    resource: type,
    required: ['type', ...required],
    fields: { type: oneOf(type), ...fields },
  })

export const data = (check: Check): Check =>
  object({ resource: 'request', required: ['data'], fields: { data: check } })

export const job = (
  type: string,
  {
    required,
    fields,
    relationships,
  }: {
    required: readonly string[]
    fields: Readonly<Record<string, Check>>
    relationships?: Check
  },
): Check =>
  data(
    resource(type, {
      required: ['attributes'],
      fields: {
        attributes: object({ resource: type, required, fields }),
        ...(relationships && { relationships }),
      },
    }),
  )

export const reference = (type: string): Check =>
  resource(type, {
    required: ['id'],
    fields: { id: text((id) => id !== '', 'Must not be blank.') },
  })
