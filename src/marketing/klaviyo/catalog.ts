import * as z from 'zod/mini'
import type { CallContext } from './ask-api.js'
import { catalogPrefix, klaviyoId } from './bodies.js'
import {
  ask,
  askEach,
  call,
  klaviyoError,
  nextCursor,
  pageLinks,
  readErrors,
  unreadable,
} from './call.js'
import type { KlaviyoError, RateLimit, Reply } from './call-answer.js'
import { moment } from './find-consents.js'
import { filtersFor } from './find-profiles.js'

export type CatalogKind = 'category' | 'item' | 'variant'
export type CatalogVerb = 'create' | 'update' | 'delete'

/** What Klaviyo holds of something, by Klaviyo's own names, without its id. */
export type CatalogAttributes = Readonly<Record<string, unknown>>

/** What the shop wants Klaviyo to hold. */
export interface CatalogWish {
  attributes: CatalogAttributes
  /** The shop's ids of the categories of an item. */
  categories?: readonly string[]
  /** The shop's id of the item of a variant. */
  item?: string
}

export interface CatalogEntry extends CatalogWish {
  /** The shop's own id. */
  id: string
}

/** Of which kind the entries of a job are, and what it does with them. */
export interface CatalogTask {
  kind: CatalogKind
  verb: CatalogVerb
}

/** Why Klaviyo refused an entry of a job. `place` is undefined when it does not say which one. */
export interface EntryError {
  place: number | undefined
  error: KlaviyoError
}

const plurals = { category: 'categories', item: 'items', variant: 'variants' } as const

const typeOf = (kind: CatalogKind) => `catalog-${kind}` as const

const jobPath = ({ kind, verb }: CatalogTask) => `/api/${typeOf(kind)}-bulk-${verb}-jobs`

const reference = (kind: CatalogKind, id: string) => ({ type: typeOf(kind), id: klaviyoId(id) })

function entryBody({ kind, verb }: CatalogTask, { id, ...wish }: CatalogEntry) {
  if (verb === 'delete') return reference(kind, id)
  const { attributes, categories, item } = wish
  const relationships = {
    ...(categories && {
      categories: { data: categories.map((each) => reference('category', each)) },
    }),
    // A variant never changes its item.
    ...(item !== undefined && verb === 'create' && { item: { data: reference('item', item) } }),
  }
  return {
    ...(verb === 'create' ? { type: typeOf(kind) } : reference(kind, id)),
    attributes: {
      ...(verb === 'create' ? { external_id: id, ...withoutNulls(attributes) } : attributes),
    },
    ...(Object.keys(relationships).length > 0 && { relationships }),
  }
}

/** In an update, null clears what Klaviyo has. */
const withoutNulls = (attributes: CatalogAttributes) =>
  Object.fromEntries(Object.entries(attributes).filter(([, value]) => value !== null))

const startedDocument = z.object({ data: z.object({ id: z.string() }) })

/** Begins a job. `errors` instead of a job: Klaviyo refused it at once, and did nothing. */
export async function startCatalogJob(
  context: CallContext,
  { entries, ...task }: CatalogTask & { entries: readonly CatalogEntry[] },
): Reply<{ job: string } | { errors: EntryError[] }> {
  const { kind, verb } = task
  const list = { data: entries.map((entry) => entryBody(task, entry)) }
  const { result, ...rate } = await call(context, {
    method: 'POST',
    path: jobPath(task),
    body: {
      data: { type: `${typeOf(kind)}-bulk-${verb}-job`, attributes: { [plurals[kind]]: list } },
    },
  })
  if (result.is === 'taken') {
    const { data } = startedDocument.safeParse(result.document)
    return data ? { job: data.data.id, ...rate } : { failed: unreadable(result.status), ...rate }
  }
  if (result.is === 'rejected') {
    const { status, errors } = result
    // Without an id in the path a 404 means that the endpoint is missing: the URL is wrong.
    if (status === 404) {
      return { failed: { is: 'misconfigured', error: klaviyoError(status, errors[0]) }, ...rate }
    }
    const found = (errors.length > 0 ? errors : [{}]).map((error) => ({
      place: placeIn(error.pointer),
      error: klaviyoError(status, error),
    }))
    return { errors: found, ...rate }
  }
  // We refuse what is too large, before it is sent.
  if (result.is === 'refused') {
    return { errors: [{ place: undefined, error: result.error }], ...rate }
  }
  return { failed: result, ...rate }
}

/** The place of an entry in its job. */
function placeIn(pointer: string | undefined): number | undefined {
  const place = /^\/data\/attributes\/\w+\/data\/(\d{1,3})(?:\/|$)/.exec(pointer ?? '')?.[1]
  return place === undefined ? undefined : Number(place)
}

const jobDocument = z.object({
  data: z.object({
    attributes: z.object({
      status: z.string(),
      created_at: moment,
      failed_count: z.nullish(z.number()),
      errors: z.nullish(z.array(z.unknown())),
    }),
  }),
})

export type CatalogJobState =
  | { is: 'open'; begunAt: Date | undefined }
  /** Klaviyo cancelled it, or no longer knows it. */
  | { is: 'lost' }
  /** `failed`: how many entries were not taken, which may be more than there are errors. */
  | { is: 'done'; failed: number; errors: EntryError[] }

export async function readCatalogJob(
  context: CallContext,
  { job, ...task }: CatalogTask & { job: string },
): Reply<{ state: CatalogJobState }> {
  const answer = await ask(context, {
    path: `${jobPath(task)}/${encodeURIComponent(job)}`,
    schema: jobDocument,
    namesOne: true,
  })
  // The states of some kinds of jobs have larger limits, which are not those of all.
  const rate = answer.rate && { rate: withoutLimit(answer.rate) }
  if ('failed' in answer) {
    const { failed } = answer
    const isGone = failed.is === 'refused' && failed.error.status === 404
    return isGone ? { state: { is: 'lost' }, ...rate } : { failed, ...rate }
  }
  return { state: stateOf(answer.document, context.apiKey), ...rate }
}

function withoutLimit({ retryAfterSeconds }: RateLimit): RateLimit {
  return retryAfterSeconds === undefined ? {} : { retryAfterSeconds }
}

function stateOf({ data }: z.infer<typeof jobDocument>, apiKey: string): CatalogJobState {
  const { status, failed_count: failed, errors } = data.attributes
  if (status === 'cancelled') return { is: 'lost' }
  if (status !== 'complete') return { is: 'open', begunAt: data.attributes.created_at ?? undefined }
  const found = readErrors({ errors: errors ?? [] }, apiKey).map((error) => ({
    place: placeIn(error.pointer),
    error: klaviyoError(200, error),
  }))
  return { is: 'done', failed: failed ?? found.length, errors: found }
}

/** What Klaviyo lists. Of categories nothing is asked. */
type ListedKind = Exclude<CatalogKind, 'category'>

const entriesDocument = z.object({
  data: z.array(z.object({ id: z.string(), attributes: z.record(z.string(), z.unknown()) })),
  links: pageLinks,
})

const listPaths = { item: '/api/catalog-items', variant: '/api/catalog-variants' } as const

/** A hundred entries, each with a description of some length. */
const answerBytes = 4_000_000

/** By the shop's ids: those that Klaviyo has. Makes one request, or two when long ids would make its URL too long. */
export async function findCatalogEntries(
  context: CallContext,
  { kind, ids }: { kind: ListedKind; ids: readonly string[] },
): Reply<{ found: ReadonlyMap<string, CatalogAttributes> }> {
  const answer = await askEach(filtersFor('ids', ids.map(klaviyoId)), (filter) =>
    ask(context, listQuestion(kind, { filter })),
  )
  if ('failed' in answer) return answer
  const { documents, ...rate } = answer
  return { found: entriesIn(documents), ...rate }
}

/** One page of all that the catalog has. `next` is absent on the last one. */
export async function catalogPage(
  context: CallContext,
  { kind, cursor }: { kind: ListedKind; cursor: string | undefined },
): Reply<{ found: ReadonlyMap<string, CatalogAttributes>; next?: string }> {
  const query = {
    [`fields[${typeOf(kind)}]`]: 'external_id,custom_metadata',
    'page[size]': '100',
    ...(cursor !== undefined && { 'page[cursor]': cursor }),
  }
  const answer = await ask(context, listQuestion(kind, query))
  if ('failed' in answer) return answer
  const { document, ...rate } = answer
  const next = nextCursor(document.links)
  return { found: entriesIn([document]), ...(next !== undefined && { next }), ...rate }
}

const listQuestion = (kind: ListedKind, query: Record<string, string>) => ({
  path: listPaths[kind],
  query,
  schema: entriesDocument,
  answerBytes,
})

const entriesIn = (documents: readonly z.infer<typeof entriesDocument>[]) =>
  new Map(
    documents
      .flatMap(({ data }) => data)
      .filter(({ id }) => id.startsWith(catalogPrefix))
      .map(({ id, attributes }) => [id.slice(catalogPrefix.length), attributes]),
  )
