import * as z from 'zod/mini'
import type { CallContext } from './ask-api.js'
import { catalogPrefix, klaviyoId } from './bodies.js'
import { readJob, startJob } from './bulk-jobs.js'
import { ask, askEach, nextCursor, pageLinks } from './call.js'
import type { Reply } from './call-answer.js'
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

/** Begins a job. */
export const startCatalogJob = (
  context: CallContext,
  { entries, ...task }: CatalogTask & { entries: readonly CatalogEntry[] },
) =>
  startJob(context, {
    path: jobPath(task),
    type: `${typeOf(task.kind)}-bulk-${task.verb}-job`,
    list: plurals[task.kind],
    entries: entries.map((entry) => entryBody(task, entry)),
  })

export const readCatalogJob = (
  context: CallContext,
  { job, ...task }: CatalogTask & { job: string },
) => readJob(context, { path: jobPath(task), job })

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
