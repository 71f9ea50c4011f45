import { execFile, spawn } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { runNode } from '../../dev/console/run-node.ts'
import { stepsOn } from '../../dev/console/steps.ts'
import { freePort } from '../support/free-port.js'
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
  close(): Promise<void>
}

/** Everything comes from the npm registry, or from npm's cache. Prints what it does. */
export async function openTemplateStore(): Promise<TemplateStore> {
  const directory = mkdtempSync(join(tmpdir(), 'storeconnect-template-'))
  const removeAll = () => rmSync(directory, { recursive: true, force: true })
  try {
    const store = join(directory, 'store')
    await build(directory, store)
    const served = await steps.run('Start it', () => serve(store))
    const close = () => served.close().finally(removeAll)
    return { origin: served.origin, staticPages: staticPagesOf(store), close }
  } catch (error) {
    removeAll()
    throw error
  }
}

const steps = stepsOn()

async function build(directory: string, store: string): Promise<void> {
  const { tarball } = await steps.run('Pack the package', () => packPackage(directory))
  cpSync(join(import.meta.dirname, 'template'), store, { recursive: true })
  writeFileSync(join(store, 'package.json'), JSON.stringify(manifest()))
  await steps.run('Install the store', () => npm(store, ['install']))
  await steps.run('Install the package', () => npm(store, installCommand(tarball)))
  followReadme(store)
  for (const command of payloadCommands()) {
    await steps.run(`payload ${command}`, () => payload(store, [command]))
  }
  await steps.run('Fill the store', () => payload(store, ['run', 'src/seed.ts']))
  await steps.run('next build', () =>
    runNode({
      name: 'next build',
      arguments: ['node_modules/next/dist/bin/next', 'build'],
      cwd: store,
      env: { ...variables, NODE_ENV: 'production' },
    }),
  )
}

/** In the versions that the checkout has. Payload's packages all have one. */
function manifest() {
  const { devDependencies } = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8')) as {
    devDependencies: Record<string, string>
  }
  const versions = dependencies.map((name) => [
    name,
    devDependencies[name] ?? devDependencies.payload,
  ])
  return { type: 'module', private: true, dependencies: Object.fromEntries(versions) as object }
}

const npm = (cwd: string, parameters: string[]) =>
  run('npm', [...parameters, '--prefer-offline', '--no-audit', '--no-fund'], { cwd })

/**
 * Outside production: Payload then makes the tables by itself. On Node 20, `tsx` sometimes never finishes
 * loading Lexical, and Node ends with nothing left to do. That must not look like success: it is repeated.
 */
async function payload(cwd: string, parameters: string[], tries = 10): Promise<void> {
  try {
    await runNode({
      name: `payload ${parameters.join(' ')}`,
      arguments: ['--import', failWhenIdle, 'node_modules/payload/bin.js', ...parameters],
      cwd,
      env: { ...variables, NODE_ENV: 'development' },
    })
  } catch (error) {
    if (tries === 1 || !String(error).includes(`exit code ${idleExitCode}`)) throw error
    await payload(cwd, parameters, tries - 1)
  }
}

const idleExitCode = 75
// Payload's command ends its process by itself when it is done.
const failWhenIdle = `data:text/javascript,process.on('beforeExit',()=>process.exit(${idleExitCode}))`

function staticPagesOf(store: string): string[] {
  const manifest = readFileSync(join(store, '.next/prerender-manifest.json'), 'utf8')
  return Object.keys((JSON.parse(manifest) as { routes: object }).routes)
}

async function serve(cwd: string): Promise<{ origin: string; close(): Promise<void> }> {
  const port = String(await freePort())
  const next = ['node_modules/next/dist/bin/next', 'start', '-H', '127.0.0.1', '-p', port]
  const server = spawn(process.execPath, next, {
    cwd,
    env: { ...process.env, ...variables, NODE_ENV: 'production' },
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
    async close() {
      server.kill('SIGTERM')
      await ended
    },
  }
}
