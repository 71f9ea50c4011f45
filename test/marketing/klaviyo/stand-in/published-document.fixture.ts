import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv, type ValidateFunction } from 'ajv'
import addFormats from 'ajv-formats'

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
  anyOf?: Schema[]
  allOf?: Schema[]
  format?: string
}

interface Content {
  content?: Record<string, { schema: Schema }>
}

interface Operation {
  requestBody?: Content
  responses: Record<string, Content & { $ref?: string }>
}

interface OpenApi {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Schema>; responses: Record<string, Content> }
}

const MEDIA_TYPE = 'application/vnd.api+json'

const fileOf = (name: string) => join(process.env.CONTRACTS_DIR ?? '', 'klaviyo', `${name}.json`)

/** One of the platform's published documents: the schema of one endpoint. */
export function publishedDocument(name: string) {
  const document = JSON.parse(readFileSync(fileOf(name), 'utf8')) as OpenApi
  const ajv = new Ajv({ strict: false, allErrors: true })
  addFormats.default(ajv)
  ajv.addSchema(withNull(document) as object, 'document')
  const validators = new Map<string, ValidateFunction>()
  const validatorOf = (schema: Schema): ValidateFunction => {
    const key = JSON.stringify(schema)
    const known = validators.get(key) ?? ajv.compile(withNull(schema, 'document') as object)
    validators.set(key, known)
    return known
  }
  const [operation] = Object.values(document.paths).flatMap((path) => Object.values(path))
  if (!operation) throw new Error(`The document ${name} describes no operation`)

  const problems = (schema: Schema, value: unknown): string[] => {
    const validate = validatorOf(schema)
    if (validate(value)) return []
    return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`)
  }
  const request = operation.requestBody?.content?.[MEDIA_TYPE]?.schema

  return {
    request,
    resolve: ({ $ref = '' }: Schema): Schema =>
      document.components.schemas[$ref.split('/').at(-1) ?? ''] ?? {},
    requestProblems: (body: unknown) => problems(request ?? {}, body),
    /** What is wrong with an answer, by the document's own schema for its status. */
    answerProblems(status: number, body: unknown): string[] {
      const { responses } = operation
      const given = responses[status] ?? responses[`${Math.floor(status / 100)}XX`]
      if (!given) return [`The status ${status} is not in the document`]
      const known = document.components.responses[given.$ref?.split('/').at(-1) ?? ''] ?? given
      const schema = known.content?.[MEDIA_TYPE]?.schema
      if (schema) return problems(schema, body)
      return body === undefined ? [] : ['The document knows no body for this answer']
    },
  }
}

export type PublishedDocument = ReturnType<typeof publishedDocument>

/**
 * OpenAPI 3.0 says `nullable` where JSON Schema has another type. References point into the document.
 */
function withNull(value: unknown, base = ''): unknown {
  if (Array.isArray(value)) return value.map((entry) => withNull(entry, base))
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([name, entry]) => [
    name,
    name === '$ref' ? `${base}${String(entry)}` : withNull(entry, base),
  ])
  const { nullable, ...rest } = Object.fromEntries(entries) as Record<string, unknown>
  return nullable === true ? { anyOf: [{ type: 'null' }, rest] } : rest
}
