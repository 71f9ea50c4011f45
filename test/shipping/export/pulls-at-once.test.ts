import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { clearStore, readExport } from '../../support/exported-orders.js'
import { anOrder, overwriteOrder, saveOrders, type SavedOrder } from '../../support/orders.js'
import { propertyRuns, propertyTimeoutMs } from '../../support/property-runs.js'
import { exportRequest } from '../../support/shipping-requests.js'
import { sharedStore } from '../../support/shared-store.js'
import { databaseKinds, openStore, type TestStore } from '../../support/store.js'

const minuteMs = 60_000
const pageSize = 10
const orderCount = 80

/** One client that walks the pages of a window. */
class Client {
  page = 0
  pages = 1
  readonly seen: string[] = []

  constructor(
    private readonly store: TestStore,
    private readonly parameters: Record<string, string> = {},
  ) {}

  /** Reads the next page, or the last one again. */
  async read(page = this.page + 1): Promise<string[]> {
    const request = exportRequest({ page: String(page), ...this.parameters })
    const { pages, references } = await readExport(await this.store.handle(request))
    if (page === 1) this.pages = Math.max(1, Number(pages))
    this.page = page
    this.seen.push(...references)
    return references
  }

  async readToEnd(between: () => Promise<void> = () => Promise.resolve()) {
    while (this.page < this.pages) {
      await this.read()
      await between()
    }
  }
}

const referencesOf = (orders: readonly SavedOrder[]) => orders.map(({ reference }) => reference)

describe.each(databaseKinds)('A pull of eight pages while orders change (%s)', (kind) => {
  let store: TestStore
  let orders: SavedOrder[]
  let touched = 0
  /** What the clock of the store says while it stands still. */
  let stillAt: number | undefined
  const now = () => new Date(stillAt ?? Date.now())
  beforeAll(async () => {
    store = await openStore(kind, {
      options: { shipping: { settings: { pageSize } } },
      effects: { now },
    })
    const start = Date.now() - 24 * 60 * minuteMs
    orders = await saveOrders(
      store.payload,
      Array.from({ length: orderCount }, (_, index) =>
        anOrder({ updatedAt: new Date(start + index * minuteMs).toISOString() }),
      ),
    )
  })
  beforeEach(async () => {
    await store.payload.delete({ collection: 'shipping-pulls', where: {} })
    for (const { id, updatedAt } of orders.slice(0, touched)) {
      await overwriteOrder(store.payload, id, { updatedAt })
    }
    touched = 0
    stillAt = undefined
  })
  afterAll(() => store.close())

  /** Changes the next orders at the front of the list, which moves them to its end. */
  const touch = async (count: number) => {
    for (const { id } of orders.slice(touched, touched + count)) {
      await overwriteOrder(store.payload, id, { updatedAt: now().toISOString() })
    }
    touched += count
  }
  const standStill = (at = Date.now()) => (stillAt = at)
  const passTime = (ms: number) => (stillAt = now().getTime() + ms)

  it('sees all of them when it takes most of a day', async () => {
    standStill()
    const client = new Client(store)
    await client.readToEnd(async () => {
      await touch(10)
      passTime(170 * minuteMs)
    })
    expect(client.seen).toEqual(referencesOf(orders))
  })

  it('sees all of them wherever in it a second client begins the same pull', async () => {
    for (const place of [1, 2, 4, 7]) {
      const first = new Client(store)
      while (first.page < place) await first.read()
      await touch(10)
      await new Client(store).read()
      await touch(10)
      await first.readToEnd()
      expect(new Set(first.seen)).toEqual(new Set(referencesOf(orders)))
      await store.payload.delete({ collection: 'shipping-pulls', where: {} })
    }
  })

  it('sees each of them once when a second client follows it, who sees all of them too', async () => {
    const first = new Client(store)
    for (const page of [1, 2, 3]) await first.read(page)
    await touch(10)
    const second = new Client(store)
    await second.readToEnd(async () => {
      if (first.page < first.pages) await first.read()
    })
    expect(first.seen).toEqual(referencesOf(orders))
    // A repeat of the last page by the first client looks the same as the second client's request for it.
    const withoutLast = orderCount - pageSize
    expect(second.seen.slice(0, withoutLast)).toEqual(
      referencesOf(orders.slice(10, withoutLast + 10)),
    )
    expect(new Set(second.seen)).toEqual(new Set(referencesOf(orders)))
  })

  it('sees all of them when two clients read page by page in turn', async () => {
    const clients = [new Client(store), new Client(store)]
    for (let page = 1; page <= orderCount / pageSize; page++) {
      for (const client of clients) {
        await client.read()
        await touch(5)
      }
    }
    for (const { seen } of clients) expect(new Set(seen)).toEqual(new Set(referencesOf(orders)))
  })

  it('sees each of them once with relative dates, over the end of a minute and of a day', async () => {
    const midnight = Math.ceil(Date.now() / 86_400_000) * 86_400_000
    standStill(midnight - 5000)
    for (const dates of [
      { start_date: '-3 days', end_date: 'now' },
      { start_date: '2 days ago', end_date: 'tomorrow' },
    ]) {
      const client = new Client(store, dates)
      await client.readToEnd(async () => {
        await touch(10)
        passTime(2000)
      })
      expect(new Set(client.seen)).toEqual(new Set(referencesOf(orders)))
      expect(client.seen.length).toBe(orderCount)
    }
  })

  it('begins anew with page 1, whatever an earlier pull in the same words saw', async () => {
    const dates = { start_date: '-3 days', end_date: '+1 minute' }
    await new Client(store, dates).readToEnd()
    await touch(10)
    const next = new Client(store, dates)
    await next.readToEnd()
    expect(next.seen).toEqual(referencesOf([...orders.slice(10), ...orders.slice(0, 10)]))
  })

  describe('that begins again and again, and is not followed,', () => {
    const lists = async () => {
      const where = { key: { exists: true } }
      const { docs } = await store.payload.find({
        collection: 'shipping-pulls',
        where,
        pagination: false,
      })
      return new Set(docs.map((row) => (row as unknown as { list: string }).list))
    }

    it('leaves one list when no order changes, which is fixed for whoever goes on', async () => {
      const first = new Client(store)
      await first.read()
      for (let time = 0; time < 30; time += 1) await new Client(store).read()
      expect((await lists()).size).toBe(1)
      await touch(60)
      await first.readToEnd()
      expect(first.seen).toEqual(referencesOf(orders))
    })

    it('leaves a few lists when orders change between', async () => {
      for (let time = 0; time < 20; time += 1) {
        await new Client(store).read()
        await touch(1)
      }
      const last = new Client(store)
      await last.read()
      expect((await lists()).size).toBeLessThanOrEqual(17)
      await touch(10)
      await last.readToEnd()
      expect(new Set(last.seen)).toEqual(new Set(referencesOf(orders)))
    })

    it('keeps its list for a second client with the same orders, who reads on when it is over', async () => {
      standStill()
      const [first, second] = [new Client(store), new Client(store)]
      await first.read()
      await second.read()
      expect((await lists()).size).toBe(1)
      await first.readToEnd()
      await touch(10)
      await new Client(store).read()
      await second.readToEnd(async () => {
        await touch(10)
        passTime(4 * minuteMs)
      })
      expect(first.seen).toEqual(referencesOf(orders))
      expect(new Set(second.seen)).toEqual(new Set(referencesOf(orders)))
    })

    it('gives a list that is nearly a day old another day', async () => {
      standStill()
      await new Client(store).read()
      passTime(23 * 60 * minuteMs)
      const second = new Client(store)
      await second.read()
      await touch(60)
      passTime(23 * 60 * minuteMs)
      await second.readToEnd()
      expect(second.seen).toEqual(referencesOf(orders))
    })
  })

  describe.each([
    ['a page past the end', [99]],
    ['the page after the last one', [9]],
    ['its last page', [8]],
    ['pages out of order', [5, 3]],
    ['all but one', [8, 3, 4, 2, 6, 5]],
  ])('that has asked for %s before its second', (_, odd) => {
    const others = [2, 3, 4, 5, 6, 7, 8].filter((page) => !odd.includes(page))

    it.each([0, 4, 8])('sees all though another one begins and reads %i pages', async (pages) => {
      const [first, second] = [new Client(store), new Client(store)]
      for (const page of [1, ...odd]) await first.read(page)
      await touch(10)
      for (let page = 1; page <= pages; page += 1) await second.read()
      for (const page of others.toReversed()) await first.read(page)
      expect(new Set(first.seen)).toEqual(new Set(referencesOf(orders)))
      if (pages > 0) await second.readToEnd()
      if (pages > 0) expect(new Set(second.seen)).toEqual(new Set(referencesOf(orders)))
    })

    it('sees each of them once, as the pull after it does', async () => {
      const first = new Client(store)
      for (const page of [1, ...odd, ...others]) await first.read(page)
      await touch(10)
      expect(first.seen.toSorted()).toEqual(referencesOf(orders).toSorted())
      const next = new Client(store)
      await next.readToEnd(() => touch(5))
      expect(next.seen).toEqual(referencesOf([...orders.slice(10), ...orders.slice(0, 10)]))
    })
  })

  it('gives its last page again while others pull, though another one begins', async () => {
    const first = new Client(store)
    while (first.page < 4) await first.read()
    await touch(10)
    await new Client(store).read()
    await first.readToEnd()
    const last = first.seen.slice(-pageSize)
    await touch(10)
    await new Client(store).read()
    expect(await first.read(first.pages)).toEqual(last)
  })

  it('gives a later page again to whoever asks for it again', async () => {
    const client = new Client(store)
    await client.readToEnd(async () => {
      await touch(10)
      if (client.page === 1) return
      const before = client.seen.slice(-pageSize)
      expect(await client.read(client.page)).toEqual(before)
    })
    expect(new Set(client.seen)).toEqual(new Set(referencesOf(orders)))
  })
})

type Step =
  | { client: number; does: 'begin'; window: number }
  | { client: number; does: 'next' | 'again' }
  | { does: 'change'; order: number }

describe('Three clients that pull two windows as they like while orders change', () => {
  const size = 2
  const moments = Array.from({ length: 9 }, (_, index) => Date.UTC(2026, 0, 1, 0, index))
  const windows = [{}, { start_date: '2025-12-31', end_date: '2026-01-01 00:06' }]
  const store = sharedStore('sqlite', { options: { shipping: { settings: { pageSize: size } } } })

  const step: fc.Arbitrary<Step> = fc.oneof(
    {
      weight: 1,
      arbitrary: fc.record({
        client: fc.nat(2),
        does: fc.constant('begin' as const),
        window: fc.nat(1),
      }),
    },
    {
      weight: 4,
      arbitrary: fc.record({ client: fc.nat(2), does: fc.constantFrom('next', 'next', 'again') }),
    },
    {
      weight: 2,
      arbitrary: fc.record({ does: fc.constant('change' as const), order: fc.nat(8) }),
    },
  )

  it(
    'each see every order that was there at their page 1, and alone each of them once',
    { timeout: propertyTimeoutMs },
    async () => {
      await clearStore(store.payload)
      await store.payload.updateGlobal({
        slug: 'shipping-settings',
        data: { username: 'ship', password: 'secret:ü', pageSize: String(size) },
      })
      const orders = await saveOrders(
        store.payload,
        moments.map((moment) => anOrder({ updatedAt: new Date(moment).toISOString() })),
      )

      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 40 }), async (steps) => {
          await store.payload.delete({ collection: 'shipping-pulls', where: {} })
          const changedAt = (id: SavedOrder['id'], ms: number) =>
            overwriteOrder(store.payload, id, { updatedAt: new Date(ms).toISOString() })
          const shop = new Map(orders.map(({ id }, index) => [id, moments[index] ?? 0]))
          for (const [id, at] of shop) await changedAt(id, at)
          let clock = Date.UTC(2026, 0, 2)
          const run = new Run(store, orders, shop)
          for (const each of steps) {
            if (each.does === 'change') {
              const { id } = orders[each.order] ?? expect.fail()
              clock += minuteMs
              shop.set(id, clock)
              await changedAt(id, clock)
            } else await run.take(each)
          }
          await run.finish()
        }),
        { numRuns: Math.ceil(propertyRuns / 200) },
      )
    },
  )

  /** The clients, and the orders that each has to see. */
  class Run {
    private readonly pulls: {
      client: Client
      window: number
      expected: string[]
      isAlone: boolean
      isOpen: boolean
    }[] = []
    private readonly ofClient = new Map<number, number>()

    constructor(
      private readonly store: TestStore,
      private readonly orders: SavedOrder[],
      private readonly shop: Map<SavedOrder['id'], number>,
    ) {}

    async take(step: Exclude<Step, { does: 'change' }>): Promise<void> {
      if (step.does === 'begin') return this.begin(step)
      const pull = this.pulls[this.ofClient.get(step.client) ?? -1]
      if (!pull?.isOpen) return
      const { client } = pull
      if (step.does === 'next') await client.read()
      // The client repeats its last page; a repeat of page 1 is a new pull.
      else if (client.page > 1) {
        const before = client.seen.slice()
        await client.read(client.page)
        if (pull.isAlone) client.seen.splice(0, Infinity, ...before)
      }
      if (client.page >= client.pages) this.end(pull)
    }

    private async begin({ client: name, window }: { client: number; window: number }) {
      // When two pulls ran at once, it is not known how far each has read, even after their end.
      const others = this.pulls.filter(
        (pull) => pull.window === window && (pull.isOpen || !pull.isAlone),
      )
      for (const other of others) other.isAlone = false
      const client = new Client(this.store, windows[window])
      const expected = this.listed(window)
      await client.read()
      // A client that starts again leaves a pull that never ends.
      const pull = { client, window, expected, isAlone: others.length === 0, isOpen: true }
      this.ofClient.set(name, this.pulls.push(pull) - 1)
      if (client.page >= client.pages) this.end(pull)
    }

    private end(pull: (typeof this.pulls)[number]): void {
      pull.isOpen = false
      const { client, expected, isAlone } = pull
      expect(expected.filter((reference) => !client.seen.includes(reference))).toEqual([])
      if (isAlone) expect(client.seen).toEqual(expected)
    }

    async finish(): Promise<void> {
      for (const index of new Set(this.ofClient.values())) {
        const pull = this.pulls[index] ?? expect.fail()
        if (!pull.isOpen) continue
        await pull.client.readToEnd()
        this.end(pull)
      }
    }

    private listed(window: number): string[] {
      const end = window === 0 ? Infinity : Date.UTC(2026, 0, 1, 0, 6, 59)
      return this.orders
        .map(({ id, reference }) => ({ reference, at: this.shop.get(id) ?? 0 }))
        .filter(({ at }) => at < end)
        .sort((one, other) => one.at - other.at)
        .map(({ reference }) => reference)
    }
  }
})
