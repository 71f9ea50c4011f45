import { decodeBody } from './body-text.js'
import { countJson } from './json-count.js'
import {
  invalid,
  nest,
  overlay,
  parameterLimit,
  tooMany,
  type Parameter,
  type ParameterTree,
} from './parameter-tree.js'
import { readBody, type ActionRequest } from './request-body.js'

export { depthLimit, nameLimit, parameterLimit, type ParameterTree } from './parameter-tree.js'

/** What a request says, read once: its parameters, and its body where that is an XML document. */
export interface RequestParameters {
  tree: ParameterTree
  xml: string | undefined
}

/** What a request says, before anything is nested. */
export interface SentParameters {
  query: Sent
  body: Sent
}

/** What was sent in one place. */
interface Sent {
  parameters: readonly Parameter[]
  /** Of all values, also of those within others. */
  count: number
  xml?: string
}

/**
 * Reads the query string and the body (urlencoded, multipart, JSON or XML). What a body would expand
 * to is counted before it is parsed.
 *
 * @throws {Problem} BODY_TOO_LARGE, or PARAMETER_INVALID with the reason.
 */
export async function receiveParameters(request: ActionRequest): Promise<SentParameters> {
  const query = readUrlencoded(new URL(request.url).search.slice(1))
  const body = await receiveBody(request)
  if (query.count + body.count > parameterLimit) throw tooMany()
  return { query, body }
}

/**
 * The parameters of a request, in one tree. A parameter in both: the query string wins.
 *
 * @throws {Problem} BODY_TOO_LARGE, or PARAMETER_INVALID with the reason.
 */
export async function readParameters(
  request: ActionRequest,
  sent: Promise<SentParameters> = receiveParameters(request),
): Promise<RequestParameters> {
  const { query, body } = await sent
  const tree = nest(body.parameters)
  return { tree: query === nothing ? tree : overlay(tree, nest(query.parameters)), xml: body.xml }
}

/** The text of a plain name, before anything is nested. */
export function flatText({ query, body }: SentParameters, name: string): string | undefined {
  const [, value] =
    [...body.parameters, ...query.parameters].findLast(([sent]) => sent === name) ?? []
  return typeof value === 'string' ? value : undefined
}

/**
 * The text of a plain parameter; undefined when it is absent.
 *
 * @throws {Problem} PARAMETER_INVALID when it is a list or an object.
 */
export function textParameter(tree: ParameterTree, name: string): string | undefined {
  const value = tree[name]
  if (value === undefined || value === null) return undefined
  if (typeof value === 'object') throw invalid(`The parameter "${name}" must be one text.`)
  return String(value)
}

/** Like `textParameter`, for a parameter that counts as absent when it is a list or an object. */
export function looseTextParameter(tree: ParameterTree, name: string): string | undefined {
  return typeof tree[name] === 'object' ? undefined : textParameter(tree, name)
}

const nothing: Sent = { parameters: [], count: 0 }

async function receiveBody(request: ActionRequest): Promise<Sent> {
  if (request.method === 'GET' || request.method === 'HEAD') return nothing

  const bytes = await readBody(request)
  const contentType = request.headers.get('content-type') ?? ''
  if (/^multipart\/form-data/i.test(contentType)) return readMultipart(bytes, contentType)

  const text = decodeBody(bytes, contentType).trim()
  if (text === '') return nothing
  if (/^application\/(?:[\w.-]+\+)?json/i.test(contentType)) return readJson(text)
  // Whatever its Content-Type says: the shipping platform's notice is known by its first character.
  if (text.startsWith('<')) return { ...nothing, xml: text }
  if (/^application\/x-www-form-urlencoded/i.test(contentType)) return readUrlencoded(text)
  return nothing
}

function readUrlencoded(text: string): Sent {
  if (text === '') return nothing
  if (text.split('&', parameterLimit + 1).length > parameterLimit) throw tooMany()
  const parameters = [...new URLSearchParams(text)]
  return { parameters, count: parameters.length }
}

async function readMultipart(bytes: Buffer<ArrayBuffer>, contentType: string): Promise<Sent> {
  const boundary = /;\s*boundary=(?:"([^"\\]+)"|([^\s";]+))/i.exec(contentType)?.slice(1).join('')
  if (boundary === undefined) throw unreadable()
  checkParts(bytes, `--${boundary}`)

  // With the boundary that was counted, as there are many ways to hide another one.
  const headers = { 'content-type': `multipart/form-data; boundary="${boundary}"` }
  const form = await new Response(bytes, { headers }).formData().catch((cause: unknown) => {
    throw unreadable(cause)
  })
  const parameters = [...form].filter(([, value]) => typeof value === 'string')
  return { parameters, count: parameters.length }
}

const unreadable = (cause?: unknown) => invalid('The multipart body cannot be read.', cause)

/** The longest headers of one part, in bytes. */
const partHeadersLimit = 2048

/** @throws {Problem} PARAMETER_INVALID when there are too many parts, or one has too long headers. */
function checkParts(body: Buffer, delimiter: string): void {
  let parts = 0
  for (let at = body.indexOf(delimiter); at !== -1; at = body.indexOf(delimiter, at + 1)) {
    const start = body.subarray(at + delimiter.length, at + delimiter.length + partHeadersLimit)
    const isLast = start.toString('latin1', 0, 2) === '--'
    if (!isLast && !start.includes('\r\n\r\n')) throw unreadable()
    parts += 1
    if (parts > parameterLimit + 1) throw tooMany()
  }
}

function readJson(text: string): Sent {
  const count = countJson(text)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    throw invalid('The JSON body cannot be read.', cause)
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw invalid('The JSON body must be an object.')
  }
  return { parameters: Object.entries(value), count }
}
