import { parse } from 'qs-esm'
import { Problem } from '../errors.js'
import { readBody } from './request-body.js'

/** Bounds of one request's parameters, query string and body together (`decisions.md`, Front door). */
export const parameterLimit = 1000
export const depthLimit = 5

/** Nested parameters by name. Objects have no prototype, so no name can reach one. */
export interface ParameterTree {
  readonly [name: string]: unknown
}

/** What a request says, read once: its parameters, and its body where that is an XML document. */
export interface RequestParameters {
  tree: ParameterTree
  xml: string | undefined
}

type Pair = readonly [name: string, value: string]

/**
 * Reads the query string and the body (urlencoded, multipart, JSON or XML) into one tree. A
 * parameter in both: the query string wins. The same name twice: the last one counts, unless the
 * name ends in `[]`, which makes a list of them.
 *
 * @throws {Problem} BODY_TOO_LARGE, or PARAMETER_INVALID with the reason.
 */
export async function readParameters(request: Request): Promise<RequestParameters> {
  const query = pairsOf(new URL(request.url).searchParams)
  const body = await readBodyParameters(request)
  if (query.length + body.pairs.length > parameterLimit) throw tooMany()
  const pairs = [...withoutThoseOf(query, body.pairs), ...query]
  return { tree: nest(pairs), xml: body.xml }
}

/** The body's pairs that say nothing about what the query string has said already. */
function withoutThoseOf(query: readonly Pair[], pairs: readonly Pair[]): Pair[] {
  const said = new Set(query.map(([name]) => placeOf(name)))
  const above = new Set([...said].flatMap(placesAbove))
  return pairs.filter(([name]) => {
    const place = placeOf(name)
    return !above.has(place) && ![place, ...placesAbove(place)].some((part) => said.has(part))
  })
}

/** Where a name puts its value: for an element of a list, the list. */
const placeOf = (name: string) => name.replace(/\[\d*\].*$/s, '')

/** `profile` and `profile[location]` for `profile[location][city]`. */
const placesAbove = (place: string): string[] =>
  [...place.matchAll(/\[/g)].map(({ index }) => place.slice(0, index))

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

interface BodyParameters {
  pairs: Pair[]
  xml: string | undefined
}

async function readBodyParameters(request: Request): Promise<BodyParameters> {
  const nothing: BodyParameters = { pairs: [], xml: undefined }
  if (request.method === 'GET' || request.method === 'HEAD') return nothing

  const bytes = await readBody(request)
  const contentType = request.headers.get('content-type') ?? ''
  if (/^multipart\/form-data/i.test(contentType)) {
    return { ...nothing, pairs: await readMultipart(bytes, contentType) }
  }
  const text = new TextDecoder().decode(bytes).trim()
  if (text === '') return nothing
  if (/^application\/(?:[\w.-]+\+)?json/i.test(contentType)) {
    return { ...nothing, pairs: readJson(text) }
  }
  // Whatever its Content-Type says: the shipping platform's notice is known by its first character.
  if (text.startsWith('<')) return { ...nothing, xml: text }
  if (/^application\/x-www-form-urlencoded/i.test(contentType)) {
    return { ...nothing, pairs: pairsOf(new URLSearchParams(text)) }
  }
  return nothing
}

async function readMultipart(bytes: Uint8Array<ArrayBuffer>, contentType: string): Promise<Pair[]> {
  const response = new Response(bytes, { headers: { 'content-type': contentType } })
  let form: FormData
  try {
    form = await response.formData()
  } catch (cause) {
    throw invalid('The multipart body cannot be read.', cause)
  }
  return [...form].flatMap(([name, value]) =>
    typeof value === 'string' ? [check(name, value)] : [],
  )
}

function readJson(text: string): Pair[] {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    throw invalid('The JSON body cannot be read.', cause)
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw invalid('The JSON body must be an object.')
  }
  return Object.entries(value).flatMap(([name, item]) => flatten(name, item, 1))
}

/** Writes a JSON value as a form would post it, so that all bodies are read by the same rules. */
function flatten(name: string, value: unknown, depth: number): Pair[] {
  if (value === null) return []
  if (typeof value !== 'object') return [check(name, String(value))]
  if (depth > depthLimit) throw tooDeep()
  return Object.entries(value).flatMap(([key, item]) => flatten(`${name}[${key}]`, item, depth + 1))
}

const pairsOf = (parameters: URLSearchParams): Pair[] =>
  [...parameters].map(([name, value]) => check(name, value))

/** Turns `profile[location][city]=Bonn` into nested objects. */
function nest(pairs: readonly Pair[]): ParameterTree {
  const lastOf = new Map(pairs.map(([name], index) => [name, index]))
  const text = pairs
    .filter(([name], index) => name.includes('[]') || lastOf.get(name) === index)
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    .join('&')
  return parse(text, {
    arrayLimit: parameterLimit,
    depth: depthLimit,
    duplicates: 'combine',
    parameterLimit,
    plainObjects: true,
  })
}

function check(name: string, value: string): Pair {
  if ((name.match(/\[/g)?.length ?? 0) > depthLimit) throw tooDeep()
  // No database text can hold U+0000, and no client of ours has a reason to send it.
  if (name.includes('\0') || value.includes('\0')) {
    throw invalid(`The parameter "${name.replaceAll('\0', '')}" holds a NUL character.`)
  }
  return [name.toWellFormed(), value.toWellFormed()]
}

const tooMany = () => invalid(`There are more than ${parameterLimit} parameters.`)

const tooDeep = () => invalid(`A parameter is nested deeper than ${depthLimit} levels.`)

const invalid = (message: string, cause?: unknown) =>
  new Problem('PARAMETER_INVALID', { message, cause })
