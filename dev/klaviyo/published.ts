import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv, type ErrorObject } from 'ajv'
import { fullFormats } from 'ajv-formats/dist/formats.js'
import { calls, type CallName, type Scope } from './calls.ts'
import type { WindowLimits } from './rate-windows.ts'

/** Where Klaviyo's published documents lie, one for each endpoint; undefined: nothing is checked by them. */
export const contracts = process.env.CONTRACTS_DIR || undefined

/** A schema of the documents, as far as they go: OpenAPI 3.0. */
export interface Schema {
  $ref?: string
  type?: string
  nullable?: boolean
  enum?: unknown[]
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  oneOf?: Schema[]
  format?: string
}

export interface Content {
  $ref?: string
  content?: Record<string, { schema: Schema }>
}

interface Operation {
  requestBody?: Content
  parameters: { name: string; in: string; schema: Schema }[]
  responses: Record<string, Content>
  'x-klaviyo-filters'?: Record<string, { operators: Record<string, string[]> }>
  'x-klaviyo-ratelimit': { burst: string; steady: string; daily?: string }
  'x-klaviyo-scopes': Scope[]
}

interface OpenApi {
  info: { version: string }
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Schema>; responses: Record<string, Content> }
}

/** What is wrong with a value; none: nothing. */
type Check = (value: unknown) => readonly ErrorObject[]

/** Where a schema is in its document. */
type Place = readonly (string | number)[]

/** The document of one endpoint. */
export interface Published {
  /** Of the API, as the header `revision` names it. */
  revision: string
  method: string
  path: string
  operation: Operation
  components: OpenApi['components']
  /** Checks an answer by the schema at this place of the document. */
  checkAnswerBy: (...place: Place) => Check
  /** Undefined: the call has none. */
  body: Check | undefined
  /** Checks the text of a parameter; undefined: the endpoint does not have it. */
  query: (parameter: string) => ((text: string) => readonly ErrorObject[]) | undefined
  /** The operators that a filter may have for a field. */
  operatorsOf: (field: string) => string[]
  scopes: readonly Scope[]
  limits: WindowLimits
}

export const MEDIA_TYPE = 'application/vnd.api+json'

const read = new Map<CallName, Published>()

/** Whether a document says what an endpoint takes. */
export const hasDocument = (name: CallName): boolean =>
  contracts !== undefined && calls[name].document !== undefined

export function published(name: CallName): Published {
  const { document } = calls[name]
  if (document === undefined) throw new Error(`There is no document of ${name}.`)
  const known = read.get(name) ?? readDocument(document)
  read.set(name, known)
  return known
}

function readDocument(name: string): Published {
  const file = join(contracts ?? '', 'klaviyo', `${name}.json`)
  const document = JSON.parse(readFileSync(file, 'utf8')) as OpenApi
  const [path, methods] = onlyEntry(document.paths)
  const [method, operation] = onlyEntry(methods)
  const checkBy = checksBy(closed(document))
  let checkAnswerBy: typeof checkBy | undefined
  const ofOperation = ['paths', path, method] as const
  const query = new Map(
    operation.parameters.flatMap(({ name, in: place, schema }, at) => {
      if (place !== 'query') return []
      const check = checkBy(...ofOperation, 'parameters', at, 'schema')
      return [[name, (text: string) => check(valueOf(text, schema))] as const]
    }),
  )
  const { burst, steady, daily } = operation['x-klaviyo-ratelimit']
  return {
    revision: document.info.version,
    method: method.toUpperCase(),
    path,
    operation,
    components: document.components,
    checkAnswerBy: (...place) => (checkAnswerBy ??= checksBy(withNull(document)))(...place),
    body:
      operation.requestBody &&
      checkBy(...ofOperation, 'requestBody', 'content', MEDIA_TYPE, 'schema'),
    query: (parameter) => query.get(parameter),
    operatorsOf: (field) =>
      Object.values(operation['x-klaviyo-filters']?.[field]?.operators ?? {}).flat(),
    scopes: operation['x-klaviyo-scopes'],
    limits: {
      burst: Number.parseInt(burst),
      steady: Number.parseInt(steady),
      ...(daily !== undefined && { daily: Number.parseInt(daily) }),
    },
  }
}

/** A part of a JSON pointer. */
export const escaped = (part: string): string => part.replaceAll('~', '~0').replaceAll('/', '~1')

/** Lists are texts with commas between. */
function valueOf(text: string, { type }: Schema): unknown {
  if (type === 'array') return text.split(',')
  return type === 'integer' ? Number(text) : text
}

function onlyEntry<Value>(record: Record<string, Value>): [string, Value] {
  const [entry, ...others] = Object.entries(record)
  if (entry === undefined || others.length > 0) throw new Error('One call a document.')
  return entry
}

/** Makes checks by the schemas of a document, each when it is first needed. */
function checksBy(document: object): (...place: Place) => Check {
  const ajv = new Ajv({ strict: false, allErrors: true, formats: fullFormats })
  ajv.addSchema(document, 'document')
  return (...place) => {
    const pointer = place.map((part) => `/${encodeURIComponent(escaped(String(part)))}`).join('')
    return (value) => {
      const validate = ajv.getSchema(`document#${pointer}`)
      if (!validate) throw new Error(`The document has no schema at ${pointer}.`)
      return validate(value) ? [] : (validate.errors ?? [])
    }
  }
}

/** OpenAPI's `nullable` as JSON Schema has it. */
const withNull = (document: object): object => changed(document, (schema) => schema)

/** No field beside the documented ones: the platform would drop one that is misspelt, and say nothing. */
const closed = (document: object): object =>
  changed(document, (schema) =>
    'type' in schema && schema.type === 'object' && 'properties' in schema
      ? { ...schema, additionalProperties: false }
      : schema,
  )

function changed<Value>(value: Value, change: (schema: object) => object): Value
function changed(value: unknown, change: (schema: object) => object): unknown {
  if (Array.isArray(value)) return value.map((each: unknown) => changed(each, change))
  if (value === null || typeof value !== 'object') return value
  const { nullable, ...rest } = Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, changed(inner as unknown, change)]),
  )
  return nullable === true ? { anyOf: [change(rest), { type: 'null' }] } : change(rest)
}
