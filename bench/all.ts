import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { unmeasured } from './unmeasured.js'

// Runs every bench, one after the other, and writes what each says to its file of results. With --quick
// only shows that each still measures something, but for what takes minutes even so.
// `klaviyo-client.ts` needs a package that is not here.
const benches: { script: string; results?: string; isSlow?: true }[] = [
  { script: 'bench', results: 'results.txt' },
  { script: 'bench:order-events', results: 'order-events-results.txt' },
  { script: 'bench:restore', results: 'restore-results.txt' },
  { script: 'bench:story', results: 'story-results.txt' },
  { script: 'bench:history', results: 'history-results.txt' },
  { script: 'bench:product-feed', results: 'product-feed-results.txt' },
  { script: 'bench:catalog', results: 'catalog-results.txt' },
  { script: 'bench:marketing', results: 'marketing-results.txt' },
  { script: 'bench:hostile', results: 'hostile-results.txt' },
  { script: 'bench:sessions' },
  // Installs a store and builds it four times, however few starts follow. So --quick leaves it out.
  { script: 'bench:cold-start', results: 'cold-start-results.txt', isSlow: true },
]

const { values } = parseArgs({ options: { quick: { type: 'boolean', default: false } } })

/** @throws when the bench fails, or prints no figure under one of its headings. */
async function run({ script, results }: (typeof benches)[number]): Promise<void> {
  const start = Date.now()
  const file = values.quick || results === undefined ? undefined : openResults(results)
  const child = spawn(
    'npm',
    ['run', '--silent', script, ...(values.quick ? ['--', '--quick'] : [])],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  const closed = once(child, 'close')
  let output = ''
  for await (const chunk of child.stdout.setEncoding('utf8') as AsyncIterable<string>) {
    output += chunk
    process.stdout.write(chunk)
    if (file !== undefined) writeSync(file, chunk)
  }
  const [code] = (await closed) as [number | null]
  if (code !== 0) throw new Error(`${script} ended with ${code}.`)
  const headings = unmeasured(output)
  if (headings.length > 0) throw new Error(`${script} has measured nothing: ${headings.join('; ')}`)
  console.log(`\n${script}: ${Math.round((Date.now() - start) / 1000)} s\n`)
}

const openResults = (name: string) => openSync(join(import.meta.dirname, name), 'w')

for (const bench of benches) if (!(values.quick && bench.isSlow)) await run(bench)
