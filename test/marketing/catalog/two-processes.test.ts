import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { serveKlaviyoStandIn, type ServedStandIn } from '../../../dev/klaviyo/serve-stand-in.ts'
import { demoApiKey } from '../../../dev/klaviyo/stand-in.ts'
import { stopDelivery } from '../../../src/mounts/node/index.js'
import type { StoreConnectOptions } from '../../../src/plugin/options.js'
import { partsOf } from '../../support/parts.js'
import { createProduct } from '../../support/products.js'
import { databaseKinds, joinStore, openStore, type TestStore } from '../../support/store.js'
import { image } from './catalog-shop.js'

describe.each(databaseKinds)('The catalog of a shop with two processes (%s)', (kind) => {
  let klaviyo: ServedStandIn
  let one: TestStore
  let other: TestStore

  beforeAll(async () => {
    klaviyo = await serveKlaviyoStandIn({ port: 0 })
    const settings = { privateApiKey: demoApiKey, catalog: 'api' } as const
    const options: StoreConnectOptions = {
      productUrl: ({ productId }) => `/tea/${productId}`,
      marketing: { delivery: 'loop', apiUrl: klaviyo.origin, settings },
    }
    one = await openStore(kind, { options })
    other = await joinStore(kind, one.url, { options })
  })
  afterAll(async () => {
    await other.close()
    await one.close()
    await klaviyo.close()
  })

  it(
    'has each entry once, and the other goes on when one stops',
    { timeout: 300_000 },
    async () => {
      const titles = Array.from({ length: 12 }, (_, place) => `Tea ${place}`)
      await Promise.all(
        titles.map((title, place) =>
          createProduct((place % 2 === 0 ? one : other).payload, { title, image }),
        ),
      )
      const entries = (of: 'item' | 'variant') => [...klaviyo.standIn.state.catalog.of(of).values()]
      const hasAll = async (expected: readonly string[]) => {
        for (const of of ['item', 'variant'] as const)
          await expect
            .poll(() => entries(of).map(({ attributes }) => attributes.title))
            .toEqual(expect.arrayContaining([...expected]))
      }
      await hasAll(titles)

      const isFirst = partsOf(one.payload).deliverer.isLeaseHeld() !== undefined
      const [deliverer, successor] = isFirst ? [one, other] : [other, one]
      await stopDelivery(deliverer.payload)
      await createProduct(deliverer.payload, { title: 'Oolong', image })
      await createProduct(successor.payload, { title: 'Sencha', image })
      const all = [...titles, 'Oolong', 'Sencha']
      await hasAll(all)
      for (const of of ['item', 'variant'] as const) {
        expect(entries(of)).toHaveLength(all.length)
        expect(entries(of).filter(({ arrivals }) => arrivals > 1)).toEqual([])
      }
    },
  )
})
