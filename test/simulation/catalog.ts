import { createProduct } from '../support/products.js'
import type { SimProcess } from './sim-process.js'
import type { World } from './world.js'

export const productChanges = [
  ...(['title', 'sold out', 'draft', 'published', 'trash', 'delete'] as const),
  ...(['feed', 'api'] as const),
] as const

/** A product is made, changes or goes; or the merchant chooses how Klaviyo gets them: by the `feed` or the `api`. */
export interface ProductStep {
  do: 'product'
  product: number
  change: (typeof productChanges)[number]
  at: number
}

const mostProducts = 4

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
    const process = this.world.processAt(at)
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
    {
      product,
      change,
    }: { product: number; change: Exclude<ProductStep['change'], 'feed' | 'api'> },
  ): Promise<void> {
    if (this.#chosen === undefined) await this.#choose(process, 'api')
    const title = `Tea ${++this.#names}`
    const id = this.#ids[product]
    const { payload } = process
    if (id === undefined) {
      if (this.#ids.length >= mostProducts) return
      const image = 'https://cdn.example/tea.png'
      const made = await process.saved(() => createProduct(payload, { title, image, inventory: 3 }))
      if (made !== undefined) this.#ids.push(made)
      return
    }
    if (change === 'delete') {
      this.#ids.splice(product, 1)
      this.#unsure.add(String(id))
      const gone = await process.saved(() => payload.delete({ collection: 'products', id }))
      if (gone !== undefined) this.#unsure.delete(String(id))
      return
    }
    // As the extension does it when somebody buys: no hook runs.
    const buy = { collection: 'products', id, data: { inventory: 0 }, req: {} } as const
    const data = {
      title: { title },
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
