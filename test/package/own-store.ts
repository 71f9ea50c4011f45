import { execFile } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { documentSnippets } from './document-snippets.js'
import { packPackage } from './packed-package.js'
import { filesByHand } from './files-by-hand.js'

const run = promisify(execFile)
const checkoutModules = join(import.meta.dirname, '../../node_modules')
const template = join(import.meta.dirname, 'store')
const payloadBin = 'node_modules/payload/bin.js'

/** What the store's developer installs beside the package and its peers. */
const ownDependencies = [
  '@payloadcms/db-postgres',
  '@payloadcms/db-sqlite',
  '@types/node',
  '@types/react',
  '@types/react-dom',
  'graphql',
  'typescript',
]

export interface PackageManifest {
  name: string
  exports: Record<string, { types: string; default: string }>
  bin: Record<'storeconnect', string>
  dependencies: Record<string, string>
  peerDependencies: Record<string, string>
}

/** Where a store's platform is. */
type Environment = Partial<Record<'KLAVIYO_URL' | 'KLAVIYO_API_KEY', string>>

/** How a process ended, and what it printed. */
export interface Ended {
  code: number
  stdout: string
  stderr: string
}

/** A small store outside of the repository, with the packed package installed. */
export interface OwnStore {
  directory: string
  /** Where the package is. */
  packageDirectory: string
  manifest: PackageManifest
  /** Paths in the tarball. */
  packedFiles: string[]
  /** Runs a script there in development, which makes the schema of the database. */
  develop(script: string): Promise<void>
  /** Runs Payload's command line there; resolves to everything that it printed. */
  payload(...parameters: string[]): Promise<string>
  /** Runs `npm run generate` beside the package's sources; resolves to how to read a file there. */
  generate(): Promise<(path: string) => string>
  /** Runs the package's own command there, however it ends. */
  storeconnect(parameters: readonly string[], environment?: Environment): Promise<Ended>
  read(path: string): string
  remove(): void
}

/**
 * Nothing is downloaded, and the package has to be built. A real copy of the tarball is installed; what stands around it is linked
 * from the checkout, and only what is declared: an import of something else fails here, as it would
 * in a store.
 */
export async function makeOwnStore(): Promise<OwnStore> {
  const directory = mkdtempSync(join(tmpdir(), 'storeconnect-package-'))
  const store = join(directory, 'store')
  const packageDirectory = join(store, 'node_modules/payload-storeconnect')
  const { tarball, copy } = await packPackage(directory, { isBuilt: true })
  await unpack(tarball, packageDirectory)
  const manifest = JSON.parse(
    readFileSync(join(packageDirectory, 'package.json'), 'utf8'),
  ) as PackageManifest
  const packedFiles = filesBelow(packageDirectory)
  const command = linkCommand(manifest, { packageDirectory, store })
  link(Object.keys(manifest.dependencies), packageDirectory)
  link([...Object.keys(manifest.peerDependencies), ...ownDependencies], store)

  cpSync(template, store, { recursive: true })
  writeFileSync(join(store, 'package.json'), '{ "type": "module", "private": true }')
  mkdirSync(join(store, 'app/(payload)/admin'), { recursive: true })
  for (const [path, text] of [...filesByHand(), ...documentSnippets()]) {
    mkdirSync(dirname(join(store, path)), { recursive: true })
    writeFileSync(join(store, path), text)
  }
  const inStore = (
    environment: Environment = {},
    mode: 'development' | 'production' = 'production',
  ) => ({
    cwd: store,
    env: {
      ...process.env,
      NODE_ENV: mode,
      PAYLOAD_SECRET: 'a secret of this store, long enough',
      SHIPSTATION_PASSWORD: 'a password',
      ...environment,
    },
  })
  return {
    directory: store,
    packageDirectory,
    manifest,
    packedFiles,
    async develop(script) {
      await run(process.execPath, [payloadBin, 'run', script], inStore({}, 'development'))
    },
    async payload(...parameters) {
      const { stdout, stderr } = await run(process.execPath, [payloadBin, ...parameters], inStore())
      return stdout + stderr
    },
    async generate() {
      await run('npm', ['run', 'generate'], { cwd: copy })
      return (path) => readFileSync(join(copy, path), 'utf8')
    },
    async storeconnect(parameters, environment) {
      try {
        return { code: 0, ...(await run(command, parameters, inStore(environment))) }
      } catch (error) {
        const { code, stdout, stderr } = error as Ended
        if (typeof code !== 'number') throw error
        return { code, stdout, stderr }
      }
    },
    read: (path) => readFileSync(join(store, path), 'utf8'),
    remove: () => rmSync(directory, { recursive: true }),
  }
}

async function unpack(tarball: string, into: string): Promise<void> {
  mkdirSync(into, { recursive: true })
  await run('tar', ['-xzf', tarball, '-C', into, '--strip-components=1'])
}

/** As npm installs a package's command. */
function linkCommand(
  { bin }: PackageManifest,
  { packageDirectory, store }: { packageDirectory: string; store: string },
): string {
  const file = join(packageDirectory, bin.storeconnect)
  const command = join(store, 'node_modules/.bin/storeconnect')
  chmodSync(file, 0o755)
  mkdirSync(dirname(command))
  symlinkSync(file, command)
  return command
}

function link(packages: readonly string[], into: string): void {
  for (const name of packages) {
    const path = join(into, 'node_modules', name)
    mkdirSync(dirname(path), { recursive: true })
    symlinkSync(join(checkoutModules, name), path)
  }
}

const filesBelow = (directory: string): string[] =>
  readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(directory.length + 1))
