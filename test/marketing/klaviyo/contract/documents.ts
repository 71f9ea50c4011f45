import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv, type ValidateFunction } from 'ajv'
import addFormats from 'ajv-formats'

/** Where the platform's published documents lie; undefined: these tests are left out. */
export const contracts = process.env.CONTRACTS_DIR

interface OpenApi {
  info: { version: string }
  paths: Record<string, Record<string, Operation>>
  components: object
}

interface Operation {
  requestBody?: { content: Record<string, { schema: object }> }
  parameters: { name: string; in: string; schema: { type?: string } }[]
  'x-klaviyo-filters'?: Record<string, { operators: Record<string, string[]> }>
  'x-klaviyo-ratelimit': { burst: string; steady: string; daily?: string }
  'x-klaviyo-scopes': string[]
}

export type DocumentName =
  | 'add_profiles_to_list'
  | 'bulk_create_events'
  | 'bulk_subscribe_profiles'
  | 'bulk_unsubscribe_profiles'
  | 'create_event'
  | 'create_or_update_profile'
  | 'get_accounts'
  | 'get_lists'
  | 'get_mapped_metrics'
  | 'get_metrics'
  | 'get_profiles'
  | 'get_profiles_for_list'
  | 'request_profile_deletion'
  | 'update_mapped_metric'

const fileOf = (name: DocumentName) => join(contracts ?? '', 'klaviyo', `${name}.json`)

/** The names of all documents in the folder. */
export const publishedNames = (): DocumentName[] =>
  readdirSync(join(contracts ?? '', 'klaviyo'))
    .filter((file) => file.endsWith('.json'))
    .map((file) => file.slice(0, -'.json'.length) as DocumentName)

/** The one call of a document: its method, path, and checks of what is sent. */
export interface Published {
  /** Of the API, as the header `revision` names it. */
  revision: string
  method: string
  path: string
  /** Matches the path with its ids. */
  pattern: RegExp
  body: ValidateFunction | undefined
  /** Checks the text of each documented parameter. */
  query: ReadonlyMap<string, (text: string) => ValidateFunction['errors']>
  /** The operators that a filter may have for a field. */
  operatorsOf: (field: string) => string[]
  scopes: readonly string[]
  /** How many calls a second, a minute and, for some, a day may have. */
  limits: { burst: number; steady: number; daily?: number }
}

const read = new Map<DocumentName, Published>()

export function published(name: DocumentName): Published {
  const known = read.get(name) ?? readDocument(name)
  read.set(name, known)
  return known
}

function readDocument(name: DocumentName): Published {
  const document = JSON.parse(readFileSync(fileOf(name), 'utf8')) as OpenApi
  const [path, methods] = onlyEntry(document.paths)
  const [method, operation] = onlyEntry(methods)
  const ajv = new Ajv({ strict: false, allErrors: true })
  addFormats.default(ajv)
  const compile = (schema: object) =>
    ajv.compile(closed({ ...schema, components: document.components }) as object)
  const schema = operation.requestBody?.content['application/vnd.api+json']?.schema
  const parameters = operation.parameters.filter((parameter) => parameter.in === 'query')
  const filters = operation['x-klaviyo-filters'] ?? {}
  const { burst, steady, daily } = operation['x-klaviyo-ratelimit']
  return {
    revision: document.info.version,
    method: method.toUpperCase(),
    path,
    pattern: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
    body: schema && compile(schema),
    query: new Map(
      parameters.map(({ name, schema }) => {
        const check = compile(schema)
        return [name, (text) => (check(valueOf(text, schema)) ? [] : check.errors)]
      }),
    ),
    operatorsOf: (field) => Object.values(filters[field]?.operators ?? {}).flat(),
    scopes: operation['x-klaviyo-scopes'],
    limits: {
      burst: Number.parseInt(burst),
      steady: Number.parseInt(steady),
      ...(daily !== undefined && { daily: Number.parseInt(daily) }),
    },
  }
}

/** Lists are texts with commas between. */
function valueOf(text: string, { type }: { type?: string }): unknown {
  if (type === 'array') return text.split(',')
  return type === 'integer' ? Number(text) : text
}

function onlyEntry<Value>(record: Record<string, Value>): [string, Value] {
  const [entry, ...others] = Object.entries(record)
  if (entry === undefined || others.length > 0) throw new Error('One call a document.')
  return entry
}

/**
 * OpenAPI's `nullable` as JSON Schema has it, and no field beside the documented ones: the platform
 * would drop one that is misspelt, and say nothing.
 */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed)
  if (schema === null || typeof schema !== 'object') return schema
  const { nullable, ...rest } = Object.fromEntries(
    Object.entries(schema).map(([name, inner]) => [name, closed(inner)]),
  )
  const isObject = rest.type === 'object' && rest.properties !== undefined
  const known = isObject ? { ...rest, additionalProperties: false } : rest
  return nullable === true ? { anyOf: [known, { type: 'null' }] } : known
}
