import { ApiError } from './api-error.ts'

export const wrongParameter = (parameter: string, detail: string): ApiError =>
  new ApiError(400, [{ code: 'invalid', detail, parameter }])

/** The fields of a resource that the call asks for; undefined: all. */
export const fieldsOf = ({ searchParams }: URL, type: string): string[] | undefined =>
  searchParams.get(`fields[${type}]`)?.split(',')

export interface PageOf<Entry> {
  entries: Entry[]
  links: { self: string; prev?: string; next?: string }
}

/** One page by cursor. A cursor is opaque to whoever is given it. */
export function pageOf<Entry>(
  all: readonly Entry[],
  { url, origin, size }: { url: URL; origin: string; size: { default: number; max: number } },
): PageOf<Entry> {
  const count = readSize(url.searchParams, size)
  const start = readCursor(url.searchParams)
  const link = (query: URLSearchParams): string => {
    const text = query.toString()
    return `${origin}${url.pathname}${text === '' ? '' : `?${text}`}`
  }
  const at = (offset: number): string => {
    const query = new URLSearchParams(url.searchParams)
    query.set('page[cursor]', Buffer.from(`at:${offset}`).toString('base64url'))
    return link(query)
  }
  return {
    entries: all.slice(start, start + count),
    links: {
      self: link(url.searchParams),
      ...(start > 0 && { prev: at(Math.max(0, start - count)) }),
      ...(start + count < all.length && { next: at(start + count) }),
    },
  }
}

function readSize(query: URLSearchParams, size: { default: number; max: number }): number {
  const text = query.get('page[size]')
  if (text === null) return size.default
  const count = Number(text)
  if (!/^\d+$/.test(text) || count < 1 || count > size.max) {
    throw wrongParameter('page[size]', `Page size must be from 1 to ${size.max}.`)
  }
  return count
}

function readCursor(query: URLSearchParams): number {
  const text = query.get('page[cursor]')
  if (text === null) return 0
  const offset = /^at:(\d+)$/.exec(Buffer.from(text, 'base64url').toString())?.[1]
  if (offset === undefined) throw wrongParameter('page[cursor]', 'The cursor is not valid.')
  return Number(offset)
}

/** A sparse fieldset: only these attributes; `location.city` counts as `location`. */
export function onlyFields<Resource extends { attributes: Record<string, unknown> }>(
  resource: Resource,
  fields: readonly string[] | undefined,
): Resource {
  if (!fields) return resource
  const tops = new Set(fields.map((field) => field.split('.')[0]))
  const attributes = Object.entries(resource.attributes).filter(([name]) => tops.has(name))
  return { ...resource, attributes: Object.fromEntries(attributes) }
}
