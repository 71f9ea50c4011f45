import { execFile, spawn } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { runNode } from '../../dev/console/run-node.ts'
import { stepsOn } from '../../dev/console/steps.ts'
import { freePort } from '../support/free-port.js'
import { copyImage } from './docker.js'
import { packPackage } from './packed-package.js'
import { followReadme, installCommand, payloadCommands } from './readme-steps.js'

const run = promisify(execFile)
const project = join(import.meta.dirname, '../..')

const dependencies = [
  '@payloadcms/db-sqlite',
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

/** A built store of the shape of the official template, with the packed package in it. */
export interface TemplateStore {
  origin: string
  /** The pages that the build made, by their paths. */
  staticPages: string[]
  /** Runs a command as the image `commands` does, in production. */
  run(command: string, ...parameters: string[]): Promise<void>
  close(): Promise<void>
}

/** Everything comes from the npm registry, or from npm's cache. Prints what it does. */
export async function openTemplateStore(): Promise<TemplateStore> {
  const directory = mkdtempSync(join(tmpdir(), 'storeconnect-template-'))
  const removeAll = () => rmSync(directory, { recursive: true, force: true })
  try {
    const store = await installStore(directory)
    await addPackage(directory, store)
    const image = await buildImage(store, join(directory, 'image'))
    const served = await steps.run('Start it', () => serve(image))
    const close = () => served.close().finally(removeAll)
    return {
      origin: served.origin,
      staticPages: staticPagesOf(store),
      run: (command, ...parameters) =>
        runCommand({ cwd: store, env: { DATABASE_URL: image.database, NODE_ENV: 'production' } }, [
          `node_modules/.bin/${command}`,
          ...parameters,
        ]),
      close,
    }
  } catch (error) {
    removeAll()
    throw error
  }
}

const steps = stepsOn(process.stderr)

/** Makes the store in the folder, without the package, and resolves to where it is. */
export async function installStore(directory: string): Promise<string> {
  const store = join(directory, 'store')
  cpSync(join(import.meta.dirname, 'template'), store, { recursive: true })
  const manifest = { type: 'module', private: true, dependencies: dependencyVersions() }
  writeFileSync(join(store, 'package.json'), JSON.stringify(manifest))
  await steps.run('Install the store', () => npm(store, ['install']))
  await generate(store)
  return store
}

/** Packs the package and adds it to the store, as the README says. */
export async function addPackage(directory: string, store: string): Promise<void> {
  const { tarball } = await steps.run('Pack the package', () => packPackage(directory))
  await steps.run('Install the package', () => npm(store, installCommand(tarball)))
  followReadme(store, dependencyVersions().next ?? '')
  await generate(store)
}

/** Switches one product of the package off in the store, and the other one on. */
export async function leaveOut(store: string, product: 'shipping' | 'marketing'): Promise<void> {
  const file = join(store, 'src/plugins/index.ts')
  const text = readFileSync(file, 'utf8').replace(/(?:shipping|marketing): false, /, '')
  writeFileSync(file, text.replace('storeConnect({ ', `storeConnect({ ${product}: false, `))
  await generate(store)
}

async function generate(store: string): Promise<void> {
  for (const command of payloadCommands()) {
    await steps.run(`payload ${command}`, () => payload(store, command))
  }
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
  await steps.run('Fill the store', () => payload(store, 'run', 'src/seed.ts'))
  await steps.run('next build', () =>
    runNode({
      name: 'next build',
      arguments: ['node_modules/next/dist/bin/next', 'build'],
      cwd: store,
      env: { ...variables, NODE_ENV: 'production' },
    }),
  )
  const command = copyImage(store, folder)
  const database = join(folder, 'store.db')
  cpSync(join(store, 'store.db'), database)
  return { folder, command, database: `file:${database}` }
}

/**
 * Those of the checkout, of which Payload's packages all have one. `TEMPLATE_NEXT` names another version of
 * Next.js.
 */
function dependencyVersions(): Record<string, string> {
  const { devDependencies } = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8')) as {
    devDependencies: Record<string, string>
  }
  const { payload = '', next = '' } = devDependencies
  const versions: Record<string, string> = {}
  for (const name of dependencies) versions[name] = devDependencies[name] ?? payload
  return { ...versions, next: process.env.TEMPLATE_NEXT ?? next }
}

const payload = (store: string, ...parameters: string[]) =>
  runCommand({ cwd: store, env: { NODE_ENV: 'development' } }, [
    'node_modules/payload/bin.js',
    ...parameters,
  ])

const npm = (cwd: string, parameters: string[]) =>
  run('npm', [...parameters, '--prefer-offline', '--no-audit', '--no-fund'], { cwd })

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

const idleExitCode = 75
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
