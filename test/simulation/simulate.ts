import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import fc from 'fast-check'
import { startPostgresServer } from '../support/databases.js'
import { newDatabaseFolder, newServerFolder } from '../support/database-folder.js'
import { playAlike } from './play-alike.js'
import { runsOf, stepNames, type KindOfRuns } from './steps.js'
import { openSimulatedShop, type SimulatedShop } from './simulated-shop.js'
import type { Run } from './step.js'

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: String(Date.now() % 2 ** 31) },
    runs: { type: 'string' },
    database: { type: 'string', default: 'sqlite' },
    of: { type: 'string', default: 'all' },
    steps: { type: 'string' },
    path: { type: 'string' },
    first: { type: 'boolean', default: false },
  },
})

const isOfBoth = values.database === 'both'
const of = isOfBoth ? 'alike' : values.of
const steps = values.steps?.split(',')
const unknown = steps?.filter((name) => !stepNames.includes(name)) ?? []
if (unknown.length > 0)
  throw new Error(`No step is called ${unknown.join(', ')}. There are: ${stepNames.join(', ')}.`)
const shop = await openShop(isOfBoth ? 'sqlite' : values.database)
const twin = isOfBoth ? await openShop('postgres') : undefined
const play = (run: Run) => (twin ? playAlike(shop, twin, run) : shop.play(run))
const begun = process.cpuUsage()
let runs = 0
let passed = 0
try {
  const details = await fc.check(
    fc.asyncProperty(runsOf(of as KindOfRuns, steps), async (run) => {
      const { problems, trace } = await play(run)
      runs += 1
      passed += trace.length
      if (runs % 10 === 0) process.stderr.write(`${runs} runs\n`)
      if (problems.length > 0) throw new Error(problems.join('\n'))
    }),
    {
      numRuns: Number(values.runs ?? (values.path === undefined ? 100 : 1)),
      seed: Number(values.seed),
      endOnFailure: values.first,
      ...(values.path !== undefined && { path: values.path }),
    },
  )
  const { user, system } = process.cpuUsage(begun)
  const seconds = (user + system) / 1e6
  if (details.counterexample !== null) {
    const [run] = details.counterexample
    const { problems, trace } = await play(run)
    console.log(trace.join('\n'))
    console.log(`of: ${run.of}, seed: ${run.seed}`)
    console.log(run.steps.map((step) => JSON.stringify(step)).join('\n'))
    console.log(`Found after ${details.numRuns} runs:\n${problems.join('\n')}`)
    console.log(
      `Again: npm run simulate -- --database ${values.database} --of ${of}${values.steps === undefined ? '' : ` --steps '${values.steps}'`} --seed ${details.seed} --path ${details.counterexamplePath} --first`,
    )
    process.exitCode = 1
  } else console.log(`${runs} runs, seed ${values.seed}: all is as it must be.`)
  console.log(
    `${(runs / seconds).toFixed(1)} runs a second of one core, ${Math.round(passed / runs)} turns a run`,
  )
} finally {
  await shop.close()
  await twin?.close()
}

async function openShop(name: string): Promise<SimulatedShop> {
  const { kind, url, remove } = await newDatabase(name)
  const shop = await openSimulatedShop(kind, url)
  return { ...shop, close: () => shop.close().then(remove) }
}

async function newDatabase(name: string) {
  if (name === 'postgres') {
    const server = await startPostgresServer({
      flags: ['fsync=off'],
      folder: newServerFolder(),
    })
    const name = 'simulated'
    await server.createDatabase(name)
    const url = `${server.serverUrl}/${name}`
    return { kind: 'postgres' as const, url, remove: () => server.stop() }
  }
  const folder = newDatabaseFolder()
  const remove = () => rmSync(folder, { recursive: true })
  return { kind: 'sqlite' as const, url: join(folder, 'store.db'), remove }
}

// Payload keeps the process alive. What was printed has to be written first.
process.stdout.write('', () => process.exit())
