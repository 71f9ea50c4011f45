import { parseArgs } from 'node:util'
import { startDatabases } from '../../test/support/databases.js'
import { openDatabase, type Ground } from '../marketing/bench-database.js'
import { openConnection } from '../marketing/connection.js'
import { report, tell } from '../goals.js'
import { median, medianRatio, takeTurns } from '../marketing/rounds.js'
import { aVisitor } from '../marketing/visitor.js'
import { runLoad, type Load, type LoadResult } from './load.js'
import { noOpAction, oneSelectAction, otherPath, restoreUrl, startShop, type Shop } from './shop.js'

const { values } = parseArgs({
  options: {
    /** A run that only shows that everything here works. */
    quick: { type: 'boolean', default: false },
    /** sqlite or postgres. */
    database: { type: 'string' },
  },
})
const sizes = values.quick
  ? { rounds: 3, requests: 300, otherRounds: 3, otherRequests: 1000 }
  : { rounds: 11, requests: 1000, otherRounds: 31, otherRequests: 4000 }

/**
 * Links come at an even rate. The shop's process also looks for work many times a second: if each link were opened
 * when the one before is answered, the slower action would meet more of that.
 */
const everyMs = 5

const databases = await startDatabases()
try {
  const grounds: Ground[] = ['sqlite', 'postgres']
  for (const ground of grounds) {
    if ((values.database ?? ground) !== ground) continue
    const { kind, url } = await openDatabase(databases, ground)
    const shop = await startShop({ kind, url, carts: 500 })
    console.log(`\n${ground}: a cart comes back`)
    await benchRestore(shop)
    console.log(`\n${ground}: a page that is not ours`)
    await benchOthers(shop)
    await shop.stop()
  }
} finally {
  await databases.stop()
}
process.exit(0)

/** A visitor with a session opens links, against an action that writes the session and redirects. */
async function benchRestore({ port, numbers, queries }: Shop): Promise<void> {
  const connection = await openConnection(port)
  const { cookie } = await aVisitor(connection)
  connection.close()
  const expected: Load['expected'] = ({ status, head }) =>
    status === 302 && /\r\nset-cookie: /i.test(head) && /\r\nlocation: .*\/cart\r\n/i.test(head)
  const load = { port, cookie, expected, connections: 1, requests: sizes.requests, everyMs }
  const arm = (name: string, path: Load['path']) => ({
    name,
    measure: () => runLoad({ ...load, path }),
  })
  const results = await takeTurns(
    [
      arm('restore', (request) => restoreUrl + (numbers[request % numbers.length] ?? '')),
      arm('no-op', () => `/actions/${noOpAction}`),
      arm('no-op with one select', () => `/actions/${oneSelectAction}`),
    ],
    sizes.rounds,
  )
  tellTimes(results)
  const p50 = ratioOf(results, 'p50Ms', ['restore', 'no-op'])
  tell('p50 against the no-op', p50.toFixed(2))
  const select = ratioOf(results, 'p99Ms', ['restore', 'no-op with one select'])
  report('p99 against the no-op with one select', select, { atMost: 1.5 })
  report('queries, as a rule', queries.usual, { atMost: 3 })
  report('queries, when the sites have to be read', queries.first, { atMost: 3 })
}

/** The shop's own page, with and without `actionsListener` in front of it. */
async function benchOthers({ port, plainPort }: Shop): Promise<void> {
  const expected: Load['expected'] = ({ status, body }) => status === 200 && body.includes('Green')
  const load = { expected, connections: 1, requests: sizes.otherRequests, path: () => otherPath }
  const arm = (name: string, on: number) => ({
    name,
    measure: () => runLoad({ ...load, port: on }),
  })
  const results = await takeTurns(
    [arm('behind actionsListener', port), arm('plain', plainPort)],
    sizes.otherRounds,
  )
  tellTimes(results)
  const ratio = ratioOf(results, 'p50Ms', ['behind actionsListener', 'plain'])
  tell('against a server without it', ratio.toFixed(2))
}

function tellTimes(results: ReadonlyMap<string, LoadResult[]>): void {
  for (const [name, measured] of results) {
    const [p50, p99] = (['p50Ms', 'p99Ms'] as const).map((figure) =>
      median(measured.map((result) => result[figure])).toFixed(3),
    )
    tell(`${name}, p99 (p50 ${p50} ms)`, `${p99} ms`)
  }
}

const ratioOf = (
  results: ReadonlyMap<string, LoadResult[]>,
  figure: keyof LoadResult,
  [name, against]: [name: string, against: string],
): number =>
  medianRatio([results.get(name) ?? [], results.get(against) ?? []], (result) => result[figure])
