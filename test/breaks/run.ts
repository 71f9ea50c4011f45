/**
 * Breaks the code in many places, one after the other, and prints which test saw it:
 *
 *     npm run breaks                            all, on the last commit
 *     npm run breaks -- --only src/marketing/delivery     those of a folder
 *     npm run breaks -- --only 'an erasure'               those that say so of the fault
 *     npm run breaks -- --at <commit>           on another commit; a text that it lacks is skipped
 *     npm run breaks -- --simulate 100          those that the simulation must see, in 100 runs of their steps from seed 1
 *     npm run breaks -- --simulate 100 --database postgres
 *     npm run breaks -- --simulate 100 --all-steps        in runs of all steps
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { alertsBreaks } from './alerts-breaks.js'
import type { Break, SimulatedBreak } from './break.js'
import { catalogBreaks } from './catalog-breaks.js'
import { couponsBreaks } from './coupons-breaks.js'
import { deliveryBreaks } from './delivery-breaks.js'
import { formsBreaks } from './forms-breaks.js'
import { shippingBreaks } from './shipping-breaks.js'
import { simulationBreaks } from './simulation-breaks.js'

const { values } = parseArgs({
  options: {
    at: { type: 'string', default: 'HEAD' },
    only: { type: 'string', default: 'src' },
    simulate: { type: 'string' },
    database: { type: 'string', default: 'sqlite' },
    'all-steps': { type: 'boolean', default: false },
  },
})
const ofTests = [
  ...shippingBreaks,
  ...deliveryBreaks,
  ...catalogBreaks,
  ...couponsBreaks,
  ...formsBreaks,
  ...alertsBreaks,
]
const ofSimulation = simulationBreaks.filter(({ on = values.database }) => on === values.database)
const chosen = (values.simulate === undefined ? ofTests : ofSimulation).filter(
  ({ file, fault }) =>
    file.startsWith(values.only) || fault.toLowerCase().includes(values.only.toLowerCase()),
)

const git = (...args: string[]) =>
  execFileSync('git', args, { stdio: ['ignore', 'pipe', 'inherit'] })
const folder = join(mkdtempSync(join(tmpdir(), 'storeconnect-breaks-')), 'code')
git('worktree', 'add', '--detach', folder, values.at)
try {
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'))
  let caught = 0
  for (const [index, one] of chosen.entries()) {
    const result = seenBy(one)
    if (result.isCaught) caught += 1
    console.log(`${index + 1}. ${one.file}: ${one.fault}\n   ${result.words}`)
  }
  console.log(`\n${caught} of ${chosen.length} were caught.`)
  process.exitCode = caught === chosen.length ? 0 : 1
} finally {
  git('worktree', 'remove', '--force', folder)
  rmSync(join(folder, '..'), { recursive: true })
}

function seenBy(one: Break | SimulatedBreak) {
  const { file, from, to } = one
  const path = join(folder, file)
  const text = readFileSync(path, 'utf8')
  if (text.split(from).length !== 2) return { isCaught: false, words: 'The text is not there.' }
  writeFileSync(
    path,
    text.replace(from, () => to),
  )
  const { status, stdout } = run('tests' in one ? testing(one) : simulating(one))
  writeFileSync(path, text)
  return { isCaught: status !== 0, words: status === 0 ? 'NOT CAUGHT' : firstFailure(stdout) }
}

function testing({ tests }: Break): readonly string[] {
  const how = ['--mode', 'full', '--bail', '1', '--reporter', 'json']
  return ['npx', 'vitest', 'run', ...how, ...tests]
}

function simulating({ of, steps }: SimulatedBreak): readonly string[] {
  return [
    ...['npm', 'run', '--silent', 'simulate', '--', '--seed', '1', '--first'],
    ...['--runs', values.simulate ?? '', '--database', values.database, '--of', of ?? 'all'],
    ...(values['all-steps'] ? [] : ['--steps', steps.join(',')]),
  ]
}

function run([program = '', ...words]: readonly string[]) {
  return spawnSync(program, words, {
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
    env: { ...process.env, DATABASE: 'sqlite' },
  })
}

function firstFailure(json: string): string {
  const found = /^Found after .*\n.*$/m.exec(json)
  if (found !== null) return found[0].replace('\n', ' ')
  const report = JSON.parse(json.slice(json.indexOf('{'))) as {
    testResults: { name: string; assertionResults: { status: string; fullName: string }[] }[]
  }
  for (const { name, assertionResults } of report.testResults) {
    const failed = assertionResults.find(({ status }) => status === 'failed')
    if (failed) return `${name.slice(folder.length + 1)}: ${failed.fullName}`
  }
  return 'A test file did not load.'
}
