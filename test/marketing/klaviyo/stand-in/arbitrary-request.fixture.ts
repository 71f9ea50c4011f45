import fc from 'fast-check'
import { MEDIA_TYPE, type Published, type Schema } from '../../../../dev/klaviyo/published.ts'

const uniqueText = fc.uuid()

/** What a schema does not say, but the texts beside it do. By the name of the field. */
const SAID_IN_WORDS: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  email: uniqueText.map((id) => `${id}@shop.test`),
  phone_number: fc.integer({ min: 1e9, max: 9e9 }).map((digits) => `+43${digits}`),
  external_id: uniqueText,
  anonymous_id: uniqueText,
  _kx: uniqueText,
  time: fc.constantFrom('2026-03-10T14:30:00+00:00', '2025-07-01T00:00:00.5Z'),
  value_currency: fc.constantFrom('EUR', 'USD', 'JPY'),
  name: fc.string({ minLength: 1, maxLength: 100 }).map((text) => `a${text}`),
  consented_at: fc.constant(null),
  historical_import: fc.constantFrom(false, null),
}

/** Fields that a request cannot do without, though the schema lets it. */
const NEEDED = new Set(['email', 'phone_number'])

/**
 * Requests that the document allows. `profileId` is one that the account has. `without` names fields beside
 * which another one is not allowed, as only the texts say.
 */
export function arbitraryRequest(
  { operation, components }: Published,
  { profileId, without = [] }: { profileId: string; without?: readonly string[] | undefined },
): fc.Arbitrary<unknown> {
  const json = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 4 })

  const resolve = ({ $ref = '' }: Schema): Schema =>
    components.schemas[$ref.split('/').at(-1) ?? ''] ?? {}

  const ofSchema = (schema: Schema, name = ''): fc.Arbitrary<unknown> => {
    if (schema.$ref) return ofSchema(resolve(schema), name)
    const said = SAID_IN_WORDS[name]
    if (said && schema.type !== 'object') return said
    const plain = ofPlain(schema, name)
    return schema.nullable === true ? fc.oneof(plain, fc.constant(null)) : plain
  }

  const ofPlain = (schema: Schema, name: string): fc.Arbitrary<unknown> => {
    if (schema.enum) return fc.constantFrom(...schema.enum)
    if (schema.oneOf) return fc.oneof(...schema.oneOf.map((one) => ofSchema(one, name)))
    switch (schema.type) {
      case 'object':
        return schema.properties ? ofObject(schema, schema.properties) : json
      case 'array':
        return fc.array(ofSchema(schema.items ?? {}), { minLength: 1, maxLength: 3 })
      case 'boolean':
        return fc.boolean()
      case 'number':
        return fc.double({ noNaN: true, noDefaultInfinity: true })
      case 'string':
        return schema.format === 'date' ? fc.constant('1990-05-17') : fc.string()
      default:
        return fc.jsonValue({ maxDepth: 1 })
    }
  }

  const ofObject = (
    { required = [] }: Schema,
    properties: Record<string, Schema>,
  ): fc.Arbitrary<unknown> => {
    const type = typeOf(properties)
    const fields = Object.entries(properties)
      .filter(([name]) => !without.includes(name))
      // Nobody knows the id of a profile that is to be made.
      .filter(([name]) => name !== 'id' || type !== 'profile' || required.includes('id'))
      .map(([name, schema]): [string, fc.Arbitrary<unknown>] => [
        name,
        name === 'id'
          ? fc.constant(type === 'list' ? 'WELCOME' : profileId)
          : ofSchema(schema, name),
      ])
    const requiredKeys = fields
      .map(([name]) => name)
      .filter((name) => required.includes(name) || NEEDED.has(name))
    return fc.record(Object.fromEntries(fields), { requiredKeys, noNullPrototype: true })
  }

  const typeOf = ({ type }: Record<string, Schema>): unknown =>
    type && (type.$ref ? resolve(type) : type).enum?.[0]

  return ofSchema(operation.requestBody?.content?.[MEDIA_TYPE]?.schema ?? {})
}

const OTHER_VALUES: readonly unknown[] = [null, 7, 'x', true, [], {}, [7], { x: 1 }]

/** The request with one value, wherever it is, taken away or replaced by another. */
export const changedRequest = (request: unknown): fc.Arbitrary<unknown> => {
  const places = placesOf(request)
  return fc
    .record({
      place: fc.constantFrom(...places),
      value: fc.option(fc.constantFrom(...OTHER_VALUES), { nil: undefined }),
    })
    .map(({ place, value }) => changedAt(request, place, value))
}

type Place = readonly (string | number)[]

const placesOf = (value: unknown): Place[] =>
  typeof value !== 'object' || value === null
    ? []
    : Object.entries(value).flatMap(([name, entry]) => [
        [name],
        ...placesOf(entry).map((rest) => [name, ...rest]),
      ])

function changedAt(value: unknown, [name = '', ...rest]: Place, replacement: unknown): unknown {
  const copy = structuredClone(value) as Record<string, unknown>
  copy[name] = rest.length > 0 ? changedAt(copy[name], rest, replacement) : replacement
  return copy
}
