import type { TemplateDatabases } from '../../test/support/databases.js'
import type { Ground } from '../marketing/bench-database.js'
import { report, tell } from '../goals.js'
import { median, takeTurns } from '../marketing/rounds.js'
import { openShop, type Shop, type Taken, type Telling } from './shop.js'

const saves: { title: string; run: keyof Omit<Shop, 'counts'> }[] = [
  { title: 'a new order', run: 'create' },
  { title: 'another status', run: 'changeStatus' },
  { title: 'a save that changes nothing to tell', run: 'touch' },
]

const names: Record<Telling, string> = {
  on: 'built-in events on',
  off: 'built-in events off',
  none: 'without the hooks',
}

/** What it costs to save an order when its events are on, against the same store when they are off. */
export async function benchSaves(
  databases: TemplateDatabases,
  ground: Ground,
  rounds: number,
): Promise<void> {
  const shops = new Map<string, Shop>()
  for (const telling of ['on', 'off', 'none'] as const) {
    shops.set(names[telling], await openShop(databases, { ground, telling }))
  }

  for (const { title, run } of saves) {
    const arms = [...shops].map(([name, shop]) => ({ name, measure: () => shop[run]() }))
    const results = await takeTurns(arms, rounds)
    const medians = (until: keyof Taken) =>
      new Map([...results].map(([name, times]) => [name, median(times.map((each) => each[until]))]))
    const [saved, reported] = [medians('saved'), medians('reported')]
    const of = (telling: Telling) => saved.get(names[telling]) ?? NaN
    console.log(`\n${ground}: ${title}`)
    for (const [name, ms] of saved) {
      tell(
        name,
        `${ms.toFixed(2)} ms; ${(reported.get(name) ?? NaN).toFixed(2)} ms until it is sent`,
      )
    }
    report(`against ${names.off}`, of('on') / of('off'), { atMost: 1.1 })
    report(`against ${names.none}`, of('on') / of('none'), { atMost: 1.1 })
  }
  await checkShops(shops, rounds)
}

/** Each new order sends three events, and each other status one. */
async function checkShops(shops: ReadonlyMap<string, Shop>, rounds: number): Promise<void> {
  const orders = rounds + 1
  const expected = {
    [names.on]: { orders, remembered: orders, sends: 4 * orders },
    [names.off]: { orders, remembered: orders, sends: 0 },
    [names.none]: { orders, remembered: 0, sends: 0 },
  }
  for (const [name, shop] of shops) {
    const [found, wanted] = [await shop.counts(), expected[name]].map((of) => JSON.stringify(of))
    if (found !== wanted) throw new Error(`${name}: ${found} instead of ${wanted}`)
  }
}
