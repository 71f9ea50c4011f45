import { decodeBody, readBody, type ActionRequest } from './request-body.js'
import {
  depthLimit,
  invalidParameter,
  nest,
  overlay,
  parameterLimit,
  tooDeep,
  tooMany,
  type Parameter,
  type ParameterTree,
} from './parameter-tree.js'

export { depthLimit, nameLimit, parameterLimit, type ParameterTree } from './parameter-tree.js'

/** The parameters of a request, and its body when that is an XML document. */
export interface RequestParameters {
  tree: ParameterTree
  xml: string | undefined
}

/** The parameters of a request before they are nested. */
interface SentParameters {
  query: Sent
  body: Sent
}

interface Sent {
  parameters: readonly Parameter[]
  /** Counts also the values within other values. */
  count: number
  xml?: string
}

/**
 * Reads the query string and the body (urlencoded, multipart, JSON or XML). The values of a body are
 * counted before it is parsed, so that a small body cannot expand into a huge one.
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
 * Reads the parameters of a request into one tree. The query string wins over the body.
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

/** The text of a parameter whose name has no brackets; undefined when it is absent or no text. */
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
  if (typeof value === 'object') throw invalidParameter(`The parameter "${name}" must be one text.`)
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
  // ShipStation's notice is recognised by its first character, whatever its Content-Type is.
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

  // The header is written anew with the counted boundary, as the posted one may hide another boundary.
  const headers = { 'content-type': `multipart/form-data; boundary="${boundary}"` }
  const form = await new Response(bytes, { headers }).formData().catch((cause: unknown) => {
    throw unreadable(cause)
  })
  const parameters = [...form].filter(([, value]) => typeof value === 'string')
  return { parameters, count: parameters.length }
}

const unreadable = (cause?: unknown) =>
  invalidParameter('The multipart body cannot be read.', cause)

/** The most bytes of one part's headers. */
const partHeadersLimit = 2048

/** Nothing reads files, and each costs the parser ten times what a text does. */
export const fileLimit = 100
const isFile = /;\s*filename\*?\s*=/i

function checkParts(body: Buffer, delimiter: string): void {
  let parts = 0
  let files = 0
  for (let at = body.indexOf(delimiter); at !== -1; at = body.indexOf(delimiter, at + 1)) {
    const start = body.subarray(at + delimiter.length, at + delimiter.length + partHeadersLimit)
    const isLast = start.toString('latin1', 0, 2) === '--'
    const end = start.indexOf('\r\n\r\n')
    if (!isLast && end === -1) throw unreadable()
    parts += 1
    if (parts > parameterLimit + 1) throw tooMany()
    if (end !== -1 && isFile.test(start.toString('latin1', 0, end))) files += 1
    if (files > fileLimit) throw invalidParameter(`There are more than ${fileLimit} files.`)
  }
}

function readJson(text: string): Sent {
  const count = countJson(text)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    throw invalidParameter('The JSON body cannot be read.', cause)
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw invalidParameter('The JSON body must be an object.')
  }
  return { parameters: Object.entries(value), count }
}

/** Counts the values of a JSON text by its commas and brackets, so that a huge text is never parsed. */
function countJson(text: string): number {
  let count = 1
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    const character = text[at]
    if (character === '"') at = endOfString(text, at)
    else if (character === ',') count += 1
    else if (character === '{' || character === '[') depth += 1
    else if (character === '}' || character === ']') depth -= 1

    if (count > parameterLimit) throw tooMany()
    // The outermost object is not counted as a level.
    if (depth > depthLimit + 1) throw tooDeep()
  }
  return count
}

function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === '"') return at
    if (text[at] === '\\') at += 1
  }
  return text.length
}
