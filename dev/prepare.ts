import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { beginAnew } from './begin-anew.ts'
import { bundle } from './bundle.ts'
import { runNode } from './console/run-node.ts'
import { stepsOn, type Step, type Steps } from './console/steps.ts'
import {
  projectDirectory,
  readEnvironment,
  storeDirectory,
  type StoreEnvironment,
} from './environment.ts'
import { newestChange } from './newest-change.ts'

export interface PrepareOptions {
  /** Holds the SQLite file, the uploads and the secret. Default: `dev/.data`. */
  dataDirectory?: string
  /** `postgres://…` or `file:…`. Default: `store.db` in the data directory. */
  databaseUrl?: string
  /** The address that the store's sites get, such as `http://127.0.0.1:3000`. */
  origin?: string
  steps?: Steps
  /** Ends the step that is running, with its processes. */
  signal?: AbortSignal
}

/** What the process that sets up the database tells while it works. */
export type SetUpMessage =
  { at: 'schema' } | { at: 'seed'; done: number; total: number } | { at: 'end'; seeded: boolean }

/** Everything that has to stand before the store can be served; what stands already is kept. */
export async function prepare(options: PrepareOptions = {}): Promise<void> {
  await buildPackage(options)
  await buildStore(options)
  await setUpDatabase(options)
}

const inProject = (name: string): string => path.join(projectDirectory, name)

const storeSources = [inProject('dist'), inProject('package-lock.json'), storeDirectory]
const resolveModule = createRequire(import.meta.url).resolve
const packageEntry = path.join(projectDirectory, 'dist/index.js')
const storeBuild = path.join(storeDirectory, '.next')
const storeBuildStamp = path.join(storeBuild, 'storeconnect-built')
const notPartOfTheSchema = ['.next', '.built', '.data', 'next-env.d.ts', 'payload-types.ts']
const notPartOfTheBuild = [...notPartOfTheSchema, 'seed', 'shipstation', 'klaviyo', 'console']

export async function buildPackage({ steps = stepsOn(), signal }: PrepareOptions = {}) {
  const name = 'Build the plugin'
  const sources = ['src', 'tsconfig.base.json', 'tsconfig.build.json'].map(inProject)
  if (newestChange([packageEntry]) > newestChange(sources)) return steps.skip(name, 'up to date')
  await steps.run(name, () =>
    runNode({
      name: 'The TypeScript compiler stopped',
      arguments: [
        path.join(path.dirname(resolveModule('typescript/package.json')), 'bin/tsc'),
        '-p',
        'tsconfig.build.json',
      ],
      cwd: projectDirectory,
      signal,
    }),
  )
}

export async function buildStore({ steps = stepsOn(), signal }: PrepareOptions = {}) {
  const name = 'Build the store with Next.js'
  const builtAt = newestChange([storeBuildStamp])
  if (builtAt > newestChange(storeSources, notPartOfTheBuild)) return steps.skip(name, 'up to date')
  await steps.run(name, async () => {
    rmSync(storeBuildStamp, { force: true })
    await runNode({
      name: 'The Next.js build stopped',
      arguments: [resolveModule('next/dist/bin/next'), 'build', storeDirectory],
      cwd: projectDirectory,
      env: { NEXT_TELEMETRY_DISABLED: '1', NODE_ENV: 'production' },
      signal,
    })
    writeFileSync(storeBuildStamp, '')
  })
}

/**
 * Creates the database or brings its tables up to date, then fills it when it is empty. Payload
 * pushes a schema only outside production, hence a process of its own. A file that the same store set
 * up for the same address is left as it is; a server may have been emptied meanwhile.
 */
export async function setUpDatabase(options: PrepareOptions = {}) {
  const { steps = stepsOn(), signal } = options
  const environment = environmentOf(options)
  const name = 'Set up the database'
  const stamp = path.join(environment.dataDirectory, 'set-up')
  const setUp = `${environment.databaseUrl}\n${options.origin ?? environment.origin}\n`
  const isSetUp =
    newestChange([stamp]) > newestChange(storeSources, notPartOfTheSchema) &&
    isFile(environment.databaseUrl) &&
    readFileSync(stamp, 'utf8') === setUp
  if (isSetUp) return steps.skip(name, 'up to date')
  rmSync(stamp, { force: true })
  await steps.run(name, async (step) => {
    let isDone = false
    await runNode({
      name: 'Setting up the database stopped',
      arguments: [await bundle('set-up-database.ts')],
      cwd: projectDirectory,
      env: {
        DATABASE_URL: environment.databaseUrl,
        STORE_DATA_DIR: environment.dataDirectory,
        ...(options.origin ? { STORE_ORIGIN: options.origin } : {}),
        NODE_ENV: 'development',
      },
      onMessage: (message) => {
        isDone = show(message as SetUpMessage, step) || isDone
      },
      signal,
    }).catch((error: unknown) => {
      throw wasQuestion(error) ? new Error(schemaRefused(environment), { cause: error }) : error
    })
    if (!isDone) throw new Error(schemaRefused(environment))
    writeFileSync(stamp, setUp)
  })
}

const isFile = (databaseUrl: string): boolean =>
  databaseUrl.startsWith('file:') && existsSync(databaseUrl.slice('file:'.length))

// Drizzle asks before it drops or renames anything. Nobody can answer, so the process ends there.
const wasQuestion = (error: unknown): boolean =>
  error instanceof Error &&
  /Accept warnings|renamed from another|Interactive prompts/.test(error.message)

function show(message: SetUpMessage, step: Step): boolean {
  if (message.at === 'schema') step.note('tables are there')
  if (message.at === 'seed') step.note(`${message.done} of ${message.total} orders`)
  return message.at === 'end'
}

function environmentOf({ dataDirectory, databaseUrl }: PrepareOptions): StoreEnvironment {
  const environment = readEnvironment({
    ...process.env,
    ...(dataDirectory ? { STORE_DATA_DIR: dataDirectory } : {}),
  })
  return databaseUrl === undefined ? environment : { ...environment, databaseUrl }
}

const schemaRefused = (environment: StoreEnvironment): string =>
  [
    'The tables in the database do not fit this version of the store, and changing them would',
    'lose data. Remove the demo data and start again:',
    `  ${beginAnew(environment)}`,
  ].join('\n')
