import type { CatalogEntry, CatalogKind } from '../../../dev/klaviyo/catalog.ts'
import { catalogPrefix } from '../../../src/marketing/klaviyo/bodies.js'
import { simulatedStore, type SimulatedSetup } from '../../support/simulated-store.js'
import type { DatabaseKind } from '../../support/store-config.js'

export const image = 'https://cdn.example/tea.png'

const second = 1_000

/** A simulated store that sends its catalog by the API, and what Klaviyo has of it. */
export function catalogShop(kind: DatabaseKind, { options, ...setup }: SimulatedSetup = {}) {
  const store = simulatedStore(kind, {
    workers: ({ catalogFeed, catalogSync, erasureWorker }) =>
      [catalogFeed, catalogSync, erasureWorker].filter((worker) => worker !== undefined),
    cleared: ['variants', 'products', 'sites', 'marketing-catalog', 'payload-kv'],
    ...setup,
    options: {
      productUrl: ({ productId }) => `/tea/${productId}`,
      ...options,
      marketing: { settings: { catalog: 'api' }, ...options?.marketing },
    },
  })
  const entries = (of: CatalogKind): CatalogEntry[] => [
    ...store.standIn.state.catalog.of(of).values(),
  ]
  return Object.assign(store, {
    /** All that was changed reaches Klaviyo. */
    async settle(ms = 20 * second) {
      const end = store.now() + ms
      while (store.now() < end) {
        await store.pass()
        store.move(second)
      }
    },
    entries,
    /** Somebody asks to be told when it is in stock again. */
    askFor: (wanted: { variantId: string } | { productId: string }) =>
      store.aBrowser().post(
        'marketingconnect/api/track',
        {
          email: 'ada@example.com',
          ...Object.fromEntries(
            Object.entries(wanted).map(([name, id]) => [`backInStock[${name}]`, id]),
          ),
        },
        { ajax: true },
      ),
    /** For what somebody waits at Klaviyo, by the shop's id, and whether they were told. */
    waiting: () =>
      store.standIn.state.waiting.map(({ variant, toldAt }) => ({
        variant: variant.replace(catalogPrefix, ''),
        isTold: toldAt !== undefined,
      })),
    /** A day goes by, and with it the hour of the comparison. */
    passNight: () => store.move(24 * 3_600 * second),
    /** One thing is done, and no other. */
    async oneStep() {
      await store.parts.deliverer.take()
      for (const worker of [store.parts.catalogFeed, store.parts.catalogSync]) {
        const step = await worker?.next()
        if (step && 'run' in step) await step.run()
      }
    },
    async counts(state: string): Promise<number> {
      const where = { state: { equals: state } }
      return (await store.payload.count({ collection: 'marketing-catalog', where })).totalDocs
    },
    entry: (of: CatalogKind, id: unknown) =>
      entries(of).find(({ externalId }) => externalId === String(id)),
    /** The names of the calls for the catalog that came since a moment. */
    catalogCalls: (since = 0) =>
      store.standIn.state.calls
        .filter(({ name, at }) => at >= since && /catalog|items|variants|categories/.test(name))
        .map(({ name }) => name),
    async update(collection: 'products' | 'variants', id: number, data: Record<string, unknown>) {
      store.move(1_000)
      // Also out of the trash.
      await store.payload.update({ collection, id, data, trash: true, depth: 0 })
    },
  })
}
