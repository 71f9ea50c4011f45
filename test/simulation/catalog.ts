import { createProduct } from '../support/products.js'
import type { SimProcess } from './sim-process.js'
import type { World } from './world.js'

export const productChanges = [
  ...(['title', 'sold out', 'draft', 'published', 'trash', 'delete'] as const),
  ...(['delete while it is read', 'die while it is posted', 'feed', 'api'] as const),
] as const

/**
 * A product is made, changes or goes, also while the catalog reads it, or its job is the last that a process does; or the
 * merchant chooses how Klaviyo gets them: by the `feed` or the `api`.
 */
export interface ProductStep {
  do: 'product'
  product: number
  change: (typeof productChanges)[number]
  at: number
}

type Change = Exclude<ProductStep['change'], 'feed' | 'api'>

const mostProducts = 4
/** A process stands still for less than a lease lasts. */
const readingMs = 3_000

/** Who looks after the products. */
export class Products {
  /** The merchant's last choice. Undefined: nobody has chosen, and there is no catalog. */
  #chosen: 'api' | 'feed' | undefined
  /** A deletion that was not answered may have left its product without a mark, until the night. */
  readonly #unsure = new Set<string>()
  readonly #ids: number[] = []
  #names = 0

  constructor(readonly world: World) {}

  do({ product, change, at }: ProductStep): void {
    const process = this.world.processes.at(at)
    const work =
      change === 'feed' || change === 'api'
        ? this.#choose(process, change)
        : this.#change(process, { product, change })
    work.catch(() => undefined)
  }

  /** Everything works again, and the merchant wants the API. */
  heal(): void {
    if (this.#chosen !== undefined) this.do({ do: 'product', product: 0, change: 'api', at: 0 })
  }

  async #choose(process: SimProcess, catalog: 'api' | 'feed'): Promise<void> {
    this.#chosen = catalog
    await process.run(() =>
      process.payload.updateGlobal({ slug: 'marketing-settings', data: { catalog }, depth: 0 }),
    )
  }

  async #change(
    process: SimProcess,
    { product, change }: { product: number; change: Change },
  ): Promise<void> {
    if (this.#chosen === undefined) await this.#choose(process, 'api')
    const title = `Tea ${++this.#names}`
    const isFull = this.#ids.length >= mostProducts
    const id = this.#ids[product % (this.#ids.length + (isFull ? 0 : 1))]
    const { payload } = process
    if (id === undefined) {
      const image = 'https://cdn.example/tea.png'
      const made = await process.saved(() => createProduct(payload, { title, image, inventory: 3 }))
      if (made !== undefined) this.#ids.push(made)
      return
    }
    if (change === 'delete') return this.#delete(process, id)
    if (change === 'delete while it is read') return this.#deleteWhileRead(id, title)
    if (change === 'die while it is posted') this.#dieInJob()
    // As the extension does it when somebody buys: no hook runs.
    const buy = { collection: 'products', id, data: { inventory: 0 }, req: {} } as const
    const data = {
      title: { title },
      'die while it is posted': { title },
      draft: { _status: 'draft' },
      published: { _status: 'published', deletedAt: null, inventory: 3 },
      trash: { deletedAt: new Date(this.world.scheduler.elapsedMs).toISOString() },
    }
    await process.run(() =>
      change === 'sold out'
        ? payload.db.updateOne(buy)
        : payload.update({ collection: 'products', id, data: data[change], trash: true, depth: 0 }),
    )
  }

  async #delete(process: SimProcess, id: number): Promise<void> {
    this.#ids.splice(this.#ids.indexOf(id), 1)
    this.#unsure.add(String(id))
    const gone = await process.saved(() => process.payload.delete({ collection: 'products', id }))
    if (gone !== undefined) this.#unsure.delete(String(id))
  }

  /** It changes, so whoever delivers reads it, and stands still before that is written. */
  async #deleteWhileRead(id: number, title: string): Promise<void> {
    const { world } = this
    const reader = world.processes.deliverer
    const other = world.processes.all.find((one) => one !== reader)
    if (other === undefined) return
    reader.strike({ of: 'reads', about: 'title', after: 0 }, () => {
      world.processes.freeze(reader, readingMs)
      if (this.#ids.includes(id)) this.#delete(other, id).catch(() => undefined)
    })
    await other.run(() =>
      other.payload.update({ collection: 'products', id, data: { title }, depth: 0 }),
    )
  }

  /** Whoever delivers dies before its next job reaches Klaviyo, or before the answer comes. */
  #dieInJob(): void {
    const { world } = this
    const poster = world.processes.deliverer
    const after = world.scheduler.random.between(0, 1)
    poster.strike({ of: 'calls', about: 'catalog-item-bulk-update', after }, () =>
      world.processes.kill(poster),
    )
  }

  /** What is wrong now. */
  async problems(): Promise<string[]> {
    if (this.#chosen === undefined) return []
    const { catalog } = this.world.klaviyo.state
    const shop = await this.world.rows(
      'select id, title, inventory, _status, deleted_at from products',
    )
    const waiting = await this.world.rows(
      "select id, state from marketing_catalog where state <> 'done'",
    )
    const wanted = new Map(
      shop.filter((row) => row.deleted_at === null).map((row) => [String(row.id), row]),
    )
    const entryOf = (kind: 'item' | 'variant', id: string) =>
      catalog.of(kind).get(`$custom:::$default:::${id}`)?.attributes
    const strangers = [...catalog.of('item').values(), ...catalog.of('variant').values()]
      .map(({ externalId }) => externalId.replace('product-', ''))
      .filter((id) => !this.#unsure.has(id) && !wanted.has(id))
    const wrong = [...wanted].flatMap(([id, { title, inventory, _status }]) => {
      const [item, variant] = [entryOf('item', id), entryOf('variant', `product-${id}`)]
      if (_status === 'draft') return item?.published === true ? [`shown: product ${id}`] : []
      const isShown = item?.published === true && variant?.published === true
      const isRight = isShown && item.title === title
      return isRight && variant.inventory_quantity === Number(inventory)
        ? []
        : [`wrong at Klaviyo: product ${id}`]
    })
    return [
      ...waiting.map(({ id, state }) => `still ${String(state)}: ${String(id)}`),
      ...strangers.map((id) => `still at Klaviyo: product ${id}`),
      ...wrong,
    ]
  }
}
