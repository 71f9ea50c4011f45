/** What a catalog holds. */
export type CatalogKind = 'category' | 'item' | 'variant'

export type CatalogVerb = 'create' | 'update' | 'delete'

/** The name of the list in the bodies of jobs. */
export const plurals = { category: 'categories', item: 'items', variant: 'variants' } as const

export interface CatalogEntry {
  externalId: string
  attributes: Record<string, unknown>
  /** The ids of its categories. */
  categories: string[]
  /** The id of the item of a variant. */
  item: string | undefined
  createdAt: number
  updatedAt: number
  /** How often it was created, updated or deleted, whether it was there or not. */
  arrivals: number
}

/** One entry of the body of a job. */
export interface CatalogInput {
  id?: string | undefined
  attributes?: { external_id?: string | undefined; [name: string]: unknown } | undefined
  relationships?:
    | {
        categories?: { data?: { id: string }[] | undefined } | undefined
        item?: { data?: { id: string } | undefined } | undefined
      }
    | undefined
}

export interface JobError {
  code: string
  detail: string
  pointer: string
}

export interface CatalogJob {
  id: string
  kind: CatalogKind
  verb: CatalogVerb
  createdAt: number
  completedAt: number | undefined
  inputs: readonly CatalogInput[]
  errors: JobError[]
}

/** The most jobs that may be in progress at one time. */
export const MAX_JOBS = 500

const quantityOf = ({ inventory_quantity: quantity }: Record<string, unknown> = {}): number =>
  typeof quantity === 'number' ? quantity : NaN

const prefix = '$custom:::$default:::'

/** The catalog of the account. Each job is done as a whole, later. */
export class Catalog {
  readonly jobs = new Map<string, CatalogJob>()
  readonly #entries = {
    category: new Map<string, CatalogEntry>(),
    item: new Map<string, CatalogEntry>(),
    variant: new Map<string, CatalogEntry>(),
  }
  readonly #now: () => number
  readonly #newId: () => string
  readonly #onRestock: (variant: string) => void

  constructor({
    now,
    newId,
    onRestock,
  }: {
    now: () => number
    newId: () => string
    /** Called when something of a variant is in stock again. */
    onRestock: (variant: string) => void
  }) {
    this.#now = now
    this.#newId = newId
    this.#onRestock = onRestock
  }

  /** By the ids that Klaviyo makes of the shop's. */
  of(kind: CatalogKind): ReadonlyMap<string, CatalogEntry> {
    return this.#entries[kind]
  }

  openJobs(): number {
    return [...this.jobs.values()].filter(({ completedAt }) => completedAt === undefined).length
  }

  begin(kind: CatalogKind, verb: CatalogVerb, inputs: readonly CatalogInput[]): CatalogJob {
    const job: CatalogJob = {
      id: this.#newId(),
      kind,
      verb,
      createdAt: this.#now(),
      completedAt: undefined,
      inputs,
      errors: [],
    }
    this.jobs.set(job.id, job)
    return job
  }

  /** @param refuses What is wrong with an entry beside what the catalog itself finds. */
  complete(job: CatalogJob, refuses: (input: CatalogInput) => string | undefined): void {
    job.completedAt = this.#now()
    for (const [at, input] of job.inputs.entries()) {
      const refusal = refuses(input)
      const found =
        refusal === undefined
          ? this.#take(job, input)
          : { code: 'invalid', detail: refusal, at: '/attributes' }
      if (found === undefined) continue
      const pointer = `/data/attributes/${plurals[job.kind]}/data/${at}${found.at}`
      job.errors.push({ code: found.code, detail: found.detail, pointer })
    }
  }

  /** What is wrong with an entry; undefined when it was taken. */
  #take({ kind, verb }: CatalogJob, input: CatalogInput) {
    const entries = this.#entries[kind]
    const { id, attributes = {} } = input
    const { external_id: externalId = id?.slice(prefix.length) ?? '', ...rest } = attributes
    const ownId = prefix + externalId
    const existing = entries.get(ownId)
    if (existing) existing.arrivals += 1
    if (verb === 'create' && existing)
      return {
        code: 'duplicate_object',
        detail: `A catalog ${kind} with the external_id ${externalId} already exists.`,
        at: '/attributes/external_id',
      }
    if (verb !== 'create' && !existing)
      return { code: 'not_found', detail: `There is no catalog ${kind} ${id}.`, at: '/id' }
    if (verb === 'delete') return this.#delete(kind, ownId)
    return this.#save(input, { existing, externalId, attributes: rest, entries })
  }

  #delete(kind: CatalogKind, id: string): undefined {
    this.#entries[kind].delete(id)
    if (kind !== 'item') return
    const variants = this.#entries.variant
    for (const [variant, { item }] of variants) if (item === id) variants.delete(variant)
  }

  #save(
    { relationships }: CatalogInput,
    to: Pick<CatalogEntry, 'externalId' | 'attributes'> & {
      existing: CatalogEntry | undefined
      entries: Map<string, CatalogEntry>
    },
  ) {
    const { existing, externalId, attributes, entries } = to
    const categories = relationships?.categories?.data?.map(({ id }) => id)
    const item = relationships?.item?.data?.id
    const { category, item: items } = this.#entries
    const unknown =
      categories?.find((each) => !category.has(each)) ??
      (item === undefined || items.has(item) ? undefined : item)
    if (unknown !== undefined)
      return { code: 'not_found', detail: `There is no ${unknown}.`, at: '/relationships' }
    const now = this.#now()
    const before = existing ?? { attributes: {}, categories: [], item, createdAt: now, arrivals: 1 }
    entries.set(prefix + externalId, {
      ...before,
      externalId,
      attributes: { ...before.attributes, ...attributes },
      categories: categories ?? before.categories,
      updatedAt: now,
    })
    this.#noteRestock(prefix + externalId, before.attributes, attributes)
    return undefined
  }

  #noteRestock(id: string, ...[before, now]: Record<string, unknown>[]): void {
    if (quantityOf(before) === 0 && quantityOf(now) > 0) this.#onRestock(id)
  }

  /** What another program has put there. */
  put(kind: CatalogKind, externalId: string, attributes: Record<string, unknown>): void {
    const entries = this.#entries[kind]
    this.#save({}, { existing: undefined, externalId, attributes, entries })
  }

  /** What somebody does in Klaviyo's own pages. */
  change(kind: CatalogKind, externalId: string, attributes: Record<string, unknown>): void {
    const entry = this.#entries[kind].get(prefix + externalId)
    if (entry === undefined) return
    this.#noteRestock(prefix + externalId, entry.attributes, attributes)
    Object.assign(entry.attributes, attributes)
  }

  remove(kind: CatalogKind, externalId: string): void {
    this.#entries[kind].delete(prefix + externalId)
  }
}
