import { execFileSync, spawn } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { runNode } from '../../dev/console/run-node.ts'
import { stepsOn } from '../../dev/console/steps.ts'
import { startPostgresServer } from '../support/databases.js'
import { freePort } from '../support/free-port.js'
import { copyImage } from './docker.js'
import { packageManagerIn } from './package-managers.js'
import { packPackage } from './packed-package.js'
import { filesByHand } from './files-by-hand.js'
import { cell } from './template-cell.js'
import { idleExitCode, startTry, type TryProcess } from './try-process.js'
import { makeRepository, shapeStore, sourceFolder, storeFolder } from './template-shapes.js'

const project = join(import.meta.dirname, '../..')

const dependencies = [
  `@payloadcms/db-${cell.database}`,
  '@payloadcms/next',
  '@payloadcms/plugin-ecommerce',
  '@payloadcms/plugin-form-builder',
  '@payloadcms/richtext-lexical',
  '@payloadcms/ui',
  '@types/node',
  '@types/react',
  '@types/react-dom',
  'graphql',
  'next',
  'payload',
  'react',
  'react-dom',
  'typescript',
]

const variables = {
  NEXT_TELEMETRY_DISABLED: '1',
  PAYLOAD_SECRET: 'a secret of this store, long enough',
  SHIPSTATION_PASSWORD: 'a password',
}

/** A built store of the shape of the official template, into which the installer has put the packed package. */
export interface TemplateStore {
  origin: string
  /** The pages that the build made, by their paths. */
  staticPages: string[]
  /** The files that git has, or would take, with their texts. */
  files(): Record<string, string>
  /**
   * What git says of the store, which was committed before the package came: a line for each changed file. Not of
   * `tsconfig.json`, into which each version of Next.js writes what it wants.
   */
  changedFiles(): string[]
  /** Runs the installed package's command by the package manager; resolves to what it printed. @throws when it does not end with 0. */
  storeconnect(...parameters: string[]): Promise<string>
  /** Runs a command as the image `commands` does, in production. */
  run(command: keyof typeof bins, ...parameters: string[]): Promise<void>
  /** Plays ShipStation and Klaviyo for the store that runs. */
  try(...parameters: string[]): Promise<TryProcess>
  close(): Promise<void>
}

/** Everything comes from the npm registry, or from npm's cache. Prints what it does. */
export async function openTemplateStore(): Promise<TemplateStore> {
  const directory = mkdtempSync(join(tmpdir(), 'storeconnect-template-'))
  const database = cell.database === 'postgres' ? await startPostgresServer({}) : undefined
  if (database) process.env.DATABASE_URL = `${database.serverUrl}/postgres`
  const removeAll = async () => {
    await database?.stop()
    // Git may still be tidying up.
    rmSync(directory, { recursive: true, force: true, maxRetries: 5 })
  }
  try {
    const store = await installStore(directory)
    await addPackage(directory, store)
    addForm(store)
    const image = await buildImage(store, join(directory, 'image'))
    const served = await steps.run('Start it', () => serve(image))
    const inProduction = { DATABASE_URL: image.database, NODE_ENV: 'production' as const }
    return {
      origin: served.origin,
      staticPages: staticPagesOf(store),
      files: () => filesOf(store),
      changedFiles: () => linesOf(git(store, 'status', '--porcelain', '.', ':!tsconfig.json')),
      storeconnect: (...parameters) =>
        managerOf(directory, store).runInstalled('storeconnect', ...parameters),
      run: (command, ...parameters) =>
        runCommand({ cwd: store, env: inProduction }, [
          moduleFile(store, bins[command]),
          ...parameters,
        ]),
      try: (...parameters) =>
        startTry(
          [moduleFile(store, bins.storeconnect), 'try', '--url', served.origin, ...parameters],
          { cwd: store, env: { ...variables, ...inProduction } },
        ),
      close: () => served.close().finally(removeAll),
    }
  } catch (error) {
    await removeAll()
    throw error
  }
}

const steps = stepsOn(process.stderr)

const managerOf = (directory: string, store: string) =>
  packageManagerIn(store, {
    tools: join(directory, 'tools'),
    environment: { ...variables, NODE_ENV: 'development' },
  })

/** Makes the store in the folder, without the package, commits it, and resolves to where it is. */
export async function installStore(directory: string): Promise<string> {
  const repository = join(directory, 'store')
  makeRepository(repository)
  const store = join(repository, storeFolder)
  cpSync(join(import.meta.dirname, 'template'), store, { recursive: true })
  shapeStore(store)
  const manifest = { name: 'shop', type: 'module', private: true, dependencies: versions() }
  writeFileSync(join(store, 'package.json'), JSON.stringify(manifest, null, 2))
  await steps.run('Install the store', () => managerOf(directory, store).install())
  await generate(store)
  commit(repository)
  return store
}

function commit(repository: string): void {
  git(repository, 'init', '--quiet')
  git(repository, 'add', '.')
  git(
    repository,
    ...['-c', 'user.name=A developer', '-c', 'user.email=developer@example.com'],
    ...['commit', '--quiet', '--message', 'The store'],
  )
}

/** Packs the package, and has its installer add it to the store: no line is written by hand. */
export async function addPackage(directory: string, store: string): Promise<void> {
  const { tarball } = await steps.run('Pack the package', () => packPackage(directory))
  await steps.run('storeconnect init', () =>
    managerOf(directory, store).runFetched(
      tarball,
      ...['storeconnect', 'init', '--yes', '--package', `file:${tarball}`],
    ),
  )
}

/** The store's own page: the form of the README. */
function addForm(store: string): void {
  for (const [path, text] of filesByHand('app/(app)')) {
    if (!path.endsWith('/page.tsx')) continue
    const file = join(store, sourceFolder, path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
  }
}

/** Switches one product of the package off in the store, and the other one on. */
export async function leaveOut(store: string, product: 'shipping' | 'marketing'): Promise<void> {
  const file = join(store, 'src/plugins/index.ts')
  const text = readFileSync(file, 'utf8')
  writeFileSync(file, text.replace(/storeConnect\([^)]*\)/, `storeConnect({ ${product}: false })`))
  await generate(store)
}

async function generate(store: string): Promise<void> {
  for (const command of ['generate:importmap', 'generate:types']) {
    await steps.run(`payload ${command}`, () => payload(store, command))
  }
}

const git = (store: string, ...parameters: string[]): string =>
  execFileSync('git', parameters, { cwd: store, encoding: 'utf8' })

const linesOf = (text: string) => text.split('\n').filter(Boolean)

function filesOf(store: string): Record<string, string> {
  const paths = git(store, 'ls-files', '-z', '--cached', '--others', '--exclude-standard')
  return Object.fromEntries(
    paths
      .split('\0')
      .filter(Boolean)
      .map((path) => [path, readFileSync(join(store, path), 'utf8')]),
  )
}

/** What the image `shop` has, how it starts, and its database. */
export interface StoreImage {
  folder: string
  command: string[]
  database: string
}

/** Fills a new database, builds the store, and copies what its image has. */
export async function buildImage(store: string, folder: string): Promise<StoreImage> {
  for (const former of ['.next', 'store.db']) {
    rmSync(join(store, former), { recursive: true, force: true })
  }
  await steps.run('Fill the store', () => payload(store, 'run', `${sourceFolder}seed.ts`))
  await steps.run('next build', () =>
    runNode({
      name: 'next build',
      arguments: [moduleFile(store, bins.next), 'build'],
      cwd: store,
      env: { ...variables, NODE_ENV: 'production' },
    }),
  )
  const { DATABASE_URL: server } = process.env
  if (cell.shape === 'monorepo') {
    const command = [process.execPath, moduleFile(store, bins.next), 'start']
    return { folder: store, command, database: server ?? `file:${join(store, 'store.db')}` }
  }
  const command = copyImage(store, folder)
  if (server !== undefined) return { folder, command, database: server }
  const database = join(folder, 'store.db')
  cpSync(join(store, 'store.db'), database)
  return { folder, command, database: `file:${database}` }
}

/** Those of the checkout, of which Payload's packages all have one. */
function versions(): Record<string, string> {
  const { devDependencies } = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8')) as {
    devDependencies: Record<string, string>
  }
  const { payload = '', next = '' } = devDependencies
  const found: Record<string, string> = {}
  for (const name of dependencies) found[name] = devDependencies[name] ?? payload
  return { ...found, next: cell.next ?? next }
}

/** The commands of packages, below `node_modules`. */
const bins = {
  next: 'next/dist/bin/next',
  payload: 'payload/bin.js',
  storeconnect: 'payload-storeconnect/dist/mounts/cli/storeconnect.js',
}

/** A file of a package that is installed in this folder or in one above it. */
function moduleFile(folder: string, path: string): string {
  const file = join(folder, 'node_modules', path)
  if (existsSync(file)) return file
  if (dirname(folder) === folder) throw new Error(`${path} is not installed.`)
  return moduleFile(dirname(folder), path)
}

const payload = (store: string, ...parameters: string[]) =>
  runCommand({ cwd: store, env: { NODE_ENV: 'development' } }, [
    moduleFile(store, bins.payload),
    ...parameters,
  ])

/**
 * Outside production: Payload then makes the tables by itself. On Node 20, `tsx` sometimes never finishes
 * loading Lexical, and Node ends with nothing left to do. That must not look like success: it is repeated.
 */
async function runCommand(
  { cwd, env }: { cwd: string; env: NodeJS.ProcessEnv },
  command: string[],
  tries = 10,
): Promise<void> {
  try {
    await runNode({
      name: command.join(' '),
      arguments: ['--import', failWhenIdle, ...command],
      cwd,
      env: { ...variables, ...env },
    })
  } catch (error) {
    if (tries === 1 || !String(error).includes(`exit code ${idleExitCode}`)) throw error
    await runCommand({ cwd, env }, command, tries - 1)
  }
}

// Payload's command ends its process by itself when it is done.
const failWhenIdle = `data:text/javascript,process.on('beforeExit',()=>process.exit(${idleExitCode}))`

function staticPagesOf(store: string): string[] {
  const manifest = readFileSync(join(store, '.next/prerender-manifest.json'), 'utf8')
  return Object.keys((JSON.parse(manifest) as { routes: object }).routes)
}

/** Starts the image; resolves when it takes requests. */
export async function serve(
  { folder, command: [command = '', ...parameters], database }: StoreImage,
  environment: Readonly<Record<string, string>> = {},
) {
  const port = String(await freePort())
  const startedAt = performance.now()
  const server = spawn(command, parameters, {
    cwd: folder,
    env: {
      ...process.env,
      ...variables,
      DATABASE_URL: database,
      HOSTNAME: '127.0.0.1',
      NODE_ENV: 'production',
      PORT: port,
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = new Promise<void>((resolve) => server.once('exit', () => resolve()))
  await new Promise<void>((resolve, reject) => {
    let output = ''
    server.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString()
      if (output.includes('Ready in')) resolve()
    })
    void ended.then(() => reject(new Error(`The store ended before it was ready:\n${output}`)))
  })
  return {
    origin: `http://127.0.0.1:${port}`,
    pid: server.pid ?? NaN,
    startedAt,
    async close() {
      server.kill('SIGTERM')
      await ended
    },
  }
}
