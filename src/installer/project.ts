import { createRequire } from 'node:module'
import { dirname, join, relative, sep } from 'node:path'
import { parse, type Code, type Compiler } from './code.js'
import { InstallerProblem } from './installer-problem.js'
import { ProjectFiles } from './project-files.js'

export type Product = 'shipping' | 'marketing'
export type PackageManager = 'npm' | 'pnpm' | 'yarn'
export type Database = 'sqlite' | 'postgres' | 'mongodb' | 'other'

/** What the installer knows of a store. */
export interface Project {
  files: ProjectFiles
  compiler: Compiler
  packageManager: PackageManager
  /** The range of the package that the store gets, such as `^1.2.0`. */
  packageVersion: string
  /** The installed version of a package, or what the manifest asks for; undefined when it has none. */
  versionOf: (name: string) => string | undefined
  database: Database
  /** `src/`, or blank: what is before `app/`. */
  source: '' | 'src/'
  /** The ending of the files that are added. */
  language: 'ts' | 'js'
  /** The file that calls `buildConfig`. */
  config: string
  /** The files of the store's own code, that of Payload's admin left out. */
  sources: readonly string[]
  /** The folder of the migrations; undefined when the store pushes its schema. */
  migrations: string | undefined
  /** Those that the store has, or gets. */
  products: ReadonlySet<Product>
  /** Whether the store was made from Payload's ecommerce template. */
  isTemplate: boolean
  code: (path: string) => Code | undefined
}

export interface Manifest {
  dependencies?: Record<string, string>
  devDependencies?: Record<string, string>
}

/**
 * Looks at the store in a folder.
 *
 * @throws {InstallerProblem} when it is no store with Payload, or one that cannot be read.
 */
export function readProject(folder: string, packageVersion: string): Project {
  const files = new ProjectFiles(folder)
  const manifestText = files.read('package.json')
  if (manifestText === undefined) {
    throw new InstallerProblem(
      'Run this in the folder of the store: there is no package.json here.',
    )
  }
  const manifest = JSON.parse(manifestText) as Manifest
  const all = { ...manifest.devDependencies, ...manifest.dependencies }
  if (all.payload === undefined) {
    throw new InstallerProblem(
      'This package does not depend on Payload. Run this in the folder of the store.',
    )
  }
  const compiler = compilerOf(folder)
  const source = files.list('src/app').length > 0 ? 'src/' : ''
  const sources = sourceFiles(files)
  const code = (path: string) => {
    const text = files.read(path)
    return text === undefined ? undefined : parse(compiler, path, text)
  }
  const config = sources.find((path) => /(^|\/)payload\.config\.[mc]?[jt]s$/.test(path))
  if (config === undefined) {
    throw new InstallerProblem('There is no payload.config.ts in this folder.')
  }
  return {
    files,
    compiler,
    packageManager: packageManagerOf(folder),
    packageVersion,
    versionOf: (name) => installedVersion(folder, name) ?? all[name],
    database: databaseOf(all),
    source,
    language: /\.[mc]?ts$/.test(config) ? 'ts' : 'js',
    config,
    sources,
    migrations: [`${source}migrations`, 'migrations'].find((path) =>
      files.list(path).some(({ name }) => /\.[jt]s$/.test(name)),
    ),
    products: new Set(['shipping', 'marketing']),
    isTemplate: isTemplate(files),
    code,
  }
}

function compilerOf(folder: string): Compiler {
  try {
    return createRequire(join(folder, 'package.json'))('typescript') as Compiler
  } catch (cause) {
    throw new InstallerProblem(
      'The store has no TypeScript, which reads its files. Install it: npm install --save-dev typescript',
      { cause },
    )
  }
}

function installedVersion(folder: string, name: string): string | undefined {
  for (let at = folder; ; at = dirname(at)) {
    const text = new ProjectFiles(at).read(`node_modules/${name}/package.json`)
    if (text !== undefined) return (JSON.parse(text) as { version?: string }).version
    if (dirname(at) === at) return undefined
  }
}

const lockfiles: [string, PackageManager][] = [
  ['pnpm-lock.yaml', 'pnpm'],
  ['yarn.lock', 'yarn'],
  ['package-lock.json', 'npm'],
]

/** By the nearest lockfile, from the store's folder upwards: in a monorepo it is above. */
function packageManagerOf(folder: string): PackageManager {
  for (let at = folder; ; at = dirname(at)) {
    const files = new ProjectFiles(at)
    const found = lockfiles.find(([name]) => files.has(name))
    if (found) return found[1]
    if (dirname(at) === at) return 'npm'
  }
}

function databaseOf(dependencies: Record<string, string>): Database {
  if (dependencies['@payloadcms/db-sqlite'] !== undefined) return 'sqlite'
  const isPostgres = ['@payloadcms/db-postgres', '@payloadcms/db-vercel-postgres'].some(
    (name) => dependencies[name] !== undefined,
  )
  if (isPostgres) return 'postgres'
  return dependencies['@payloadcms/db-mongodb'] === undefined ? 'other' : 'mongodb'
}

/** The last one has the pages of Payload's own admin. */
const ignoredFolders = new Set([
  'node_modules',
  '.next',
  '.git',
  'dist',
  'public',
  'media',
  'tests',
  '(payload)',
])

/** The files of code below the folder, those near the top first. */
function sourceFiles(files: ProjectFiles): string[] {
  const found: string[] = []
  const folders = ['']
  for (let folder = folders.shift(); folder !== undefined; folder = folders.shift()) {
    const entries = files
      .list(folder)
      .map((entry) => ({ ...entry, path: folder === '' ? entry.name : `${folder}/${entry.name}` }))
    for (const { path, name, isFolder } of entries) {
      if (!isFolder && isCode(name)) found.push(path)
      if (isFolder && !ignoredFolders.has(name)) folders.push(path)
    }
  }
  return found
}

const isCode = (name: string) => /\.[mc]?[jt]sx?$/.test(name) && !name.endsWith('.d.ts')

/** The template's own mark: its plugin's file, its provider and its cart are where the template has them. */
const isTemplate = (files: ProjectFiles) =>
  ['src/plugins/index.ts', 'src/providers/index.tsx', 'src/components/Cart/CartModal.tsx'].every(
    (path) => files.has(path),
  )

/**
 * What the first file of the store's code has, of those that name a module.
 *
 * @param look Finds it in a file.
 */
export function findInSources<Found>(
  { sources, files, code: codeOf }: Project,
  module: string,
  look: (code: Code) => Found | undefined,
): { file: string; code: Code; found: Found } | undefined {
  for (const file of sources) {
    if (files.read(file)?.includes(module) !== true) continue
    const code = codeOf(file)
    const found = code && look(code)
    if (found) return { file, code, found }
  }
  return undefined
}

/** How a file of the store imports another one, without its ending. */
export function importPath(from: string, to: string): string {
  const path = relative(dirname(from), to)
    .split(sep)
    .join('/')
    .replace(/\.[jt]sx?$/, '')
  return path.startsWith('.') ? path : `./${path}`
}
