import {
  accepted,
  refuseUnknownId,
  type Answer,
  type AnswerParts,
  type Call,
} from './answer-parts.ts'
import { ApiError, notFound } from './api-error.ts'
import type { Body } from './bodies.ts'
import {
  MAX_JOBS,
  plurals,
  type CatalogEntry,
  type CatalogInput,
  type CatalogJob,
  type CatalogKind,
  type CatalogVerb,
} from './catalog.ts'
import type { CallName } from './calls.ts'
import { markerOf } from './faults.ts'
import { FilterError, parseFilter } from './filter.ts'
import { fieldsOf, onlyFields, pageOf, wrongParameter } from './query.ts'
import { bulkJobDocument, moment } from './resources.ts'

/** Whoever waits is noted later, like an event. */
export const stockAnswers = ({ account, later, eventSeconds }: AnswerParts) => ({
  'back-in-stock': ({ body }: Call): Answer => {
    const { attributes, relationships } = (body as Body<'back-in-stock'>).data
    const { id: variant } = relationships.variant.data
    if (!account.catalog.of('variant').has(variant))
      throw notFound(
        `A catalog variant with id ${variant} does not exist.`,
        '/data/relationships/variant/data/id',
      )
    const { channels, profile } = attributes
    const { data } = profile
    refuseUnknownId(account.book, data, '/data/attributes/profile/data/id')
    later(() => account.waitForStock(data, { variant, channels }), eventSeconds)
    return accepted
  },
})

/** Jobs are taken at once and done later; what fails then is among the errors of the job. */
export const catalogAnswers = ({ account, faults, later, catalogSeconds }: AnswerParts) => {
  const { catalog } = account

  const start =
    (kind: CatalogKind, verb: CatalogVerb, name: CallName) =>
    ({ url, body }: Call): Answer => {
      if (catalog.openJobs() >= MAX_JOBS) {
        const detail = `At most ${MAX_JOBS} jobs may be in progress at one time.`
        throw new ApiError(429, [{ code: 'throttled', detail }], { 'retry-after': '10' })
      }
      const { attributes } = (body as Body<'create-items'>).data
      const list = attributes[plurals[kind]]?.data ?? []
      const job = catalog.begin(kind, verb, list)
      const isPoisoned = (input: CatalogInput) => {
        const text = JSON.stringify(input)
        const fault = faults.strikeMarked(name, 'late-poison', (marker) => text.includes(marker))
        return fault && `The value ${markerOf(fault)} is not valid.`
      }
      later(() => catalog.complete(job, isPoisoned), catalogSeconds)
      return { status: 202, document: jobDocument(url.origin, job) }
    }

  const read =
    (verb: CatalogVerb | undefined) =>
    ({ url, id }: Call): Answer => {
      const job = catalog.jobs.get(id)
      const isOther = verb !== undefined && job?.verb !== verb
      if (job === undefined || isOther || !url.pathname.includes(`/catalog-${job.kind}-bulk-`))
        throw notFound(`A job with id ${id} does not exist.`)
      return { status: 200, document: jobDocument(url.origin, job) }
    }

  const list =
    (kind: 'item' | 'variant') =>
    ({ url }: Call): Answer => {
      const all = filtered(catalog.of(kind), url.searchParams.get('filter'))
      const size = { default: 100, max: 100 }
      const page = pageOf([...all], { url, origin: url.origin, size })
      const fields = fieldsOf(url, `catalog-${kind}`)
      const data = page.entries.map(([id, entry]) =>
        onlyFields(entryResource(url.origin, { kind, id, entry }), fields),
      )
      return { status: 200, document: { data, links: page.links } }
    }

  return {
    'create-categories': start('category', 'create', 'create-categories'),
    'create-items': start('item', 'create', 'create-items'),
    'update-items': start('item', 'update', 'update-items'),
    'delete-items': start('item', 'delete', 'delete-items'),
    'create-variants': start('variant', 'create', 'create-variants'),
    'update-variants': start('variant', 'update', 'update-variants'),
    'delete-variants': start('variant', 'delete', 'delete-variants'),
    'created-items': read('create'),
    'updated-items': read('update'),
    'deleted-items': read('delete'),
    'other-catalog-job': read(undefined),
    'catalog-items': list('item'),
    'catalog-variants': list('variant'),
  }
}

function filtered(
  entries: ReadonlyMap<string, CatalogEntry>,
  source: string | null,
): Iterable<[string, CatalogEntry]> {
  if (source === null) return entries
  try {
    const { field, operator, values } = parseFilter(source)
    if (field !== 'ids' || operator !== 'any') {
      throw wrongParameter('filter', `The catalog cannot be filtered by '${field}' here.`)
    }
    const wanted = new Set(values)
    return [...entries].filter(([id]) => wanted.has(id))
  } catch (error) {
    if (error instanceof FilterError) throw wrongParameter('filter', error.message)
    throw error
  }
}

const jobDocument = (origin: string, job: CatalogJob) =>
  bulkJobDocument(origin, job, {
    type: `catalog-${job.kind}-bulk-${job.verb}-job`,
    entries: job.inputs,
    refused: 'The entry was not taken.',
  })

const names = {
  item: ['title', 'description', 'price', 'url', 'published'],
  variant: [
    ...['title', 'description', 'price', 'url', 'published'],
    ...['sku', 'inventory_policy', 'inventory_quantity'],
  ],
} as const

function entryResource(
  origin: string,
  { kind, id, entry }: { kind: 'item' | 'variant'; id: string; entry: CatalogEntry },
) {
  const { externalId, attributes, createdAt, updatedAt } = entry
  const pictures = ['image_full_url', 'image_thumbnail_url', 'images', 'custom_metadata']
  return {
    type: `catalog-${kind}`,
    id,
    attributes: {
      external_id: externalId,
      ...Object.fromEntries(
        [...names[kind], ...pictures].map((name) => [name, attributes[name] ?? null]),
      ),
      created: moment(createdAt),
      updated: moment(updatedAt),
    },
    links: { self: `${origin}/api/catalog-${kind}s/${encodeURIComponent(id)}` },
  }
}
