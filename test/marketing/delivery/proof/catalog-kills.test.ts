import { describe, it } from 'vitest'
import { serveKlaviyoStandIn } from '../../../../dev/klaviyo/serve-stand-in.ts'
import { demoApiKey } from '../../../../dev/klaviyo/stand-in.ts'
import { createProduct } from '../../../support/products.js'
import { databaseKinds, openStore } from '../../../support/store.js'
import { spareProcesses, type StoreProcess } from './store-process.js'
import { untilAllIsOver } from './until-all-is-over.js'

const image = 'https://cdn.example/tea.png'

/** The calls in which a process dies, one after the other. */
const deadlyCalls = [
  /catalog-item-bulk-create-jobs$/,
  /catalog-variant-bulk-create-jobs$/,
  /catalog-variant-bulk-create-jobs\/[^/]+$/,
]

/** Two jobs, as one has a hundred entries. */
const products = 101

describe.concurrent.each(databaseKinds)('a catalog whose processes are killed (%s)', (kind) => {
  it(
    `has each of ${products} products and their changes, though each of ${deadlyCalls.length} processes dies in a call`,
    { timeout: 120_000 + untilAllIsOver.timeout },
    async ({ expect, onTestFinished }) => {
      const store = await openStore(kind)
      onTestFinished(() => store.close())
      const { origin, standIn, close } = await serveKlaviyoStandIn({ port: 0 })
      onTestFinished(close)
      const spares = spareProcesses(
        { script: 'deliver-process', kind, url: store.url, apiUrl: origin },
        { count: deadlyCalls.length + 1, ahead: 1 },
      )
      onTestFinished(() => spares.stop())
      const settings = { privateApiKey: demoApiKey, catalog: 'api' } as const
      await store.payload.updateGlobal({ slug: 'marketing-settings', data: settings })
      const ids: number[] = []
      for (let place = 0; place < products; place += 1)
        ids.push(await createProduct(store.payload, { title: `Tea ${place}`, image }))

      for (const deadly of deadlyCalls) {
        const worker = await spares.next()
        await worker.become('worker')
        await untilSaid(worker, deadly)
        await worker.kill()
        await store.payload.update({
          collection: 'products',
          id: ids[0] ?? 0,
          data: { title: `Tea after ${deadly.source}` },
        })
      }

      const last = await spares.next()
      await last.become('worker')
      onTestFinished(() => last.kill())
      const titles = (of: 'item' | 'variant') =>
        [...standIn.state.catalog.of(of).values()].map(({ attributes }) => attributes.title).sort()
      const expected = ids
        .map((_, place) =>
          place === 0 ? `Tea after ${deadlyCalls.at(-1)?.source}` : `Tea ${place}`,
        )
        .sort()
      for (const of of ['item', 'variant'] as const)
        await expect.poll(() => titles(of), untilAllIsOver).toEqual(expected)
    },
  )
})

async function untilSaid(process: StoreProcess, what: RegExp): Promise<void> {
  const { said } = process
  while (!said.some((line) => what.test(line))) {
    const count = said.length + 1
    await process.lines(count)
    if (said.length < count) throw new Error('A process of the store ended by itself.')
  }
}
