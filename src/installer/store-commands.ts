import { spawn } from 'node:child_process'
import { InstallerProblem } from './installer-problem.js'
import type { MigratedDatabase } from './mended-removal.js'
import { readMigrations, writtenSince } from './migrations.js'
import type { PackageManager, Project } from './project.js'

/** A command that is run in the store's folder. */
export interface StoreCommand {
  /** What is said while it runs. */
  title: string
  command: string
  parameters: string[]
  /** What its output has, in any case, when it has done its work; it is run again until then. Default: it is run once. */
  says?: string
  /** The folder into which it writes a migration. Payload may ask what was renamed then. */
  migrations?: string
  /** The database, where that migration drops what Storeconnect has stored. */
  dropsOn?: MigratedDatabase
  /** The database, where that migration adds what Storeconnect stores. */
  addsOn?: MigratedDatabase
}

const prefix: Record<PackageManager, string[]> = {
  npm: ['npx', '--no-install'],
  pnpm: ['pnpm', 'exec'],
  yarn: ['yarn', 'run'],
}

const payload = ({ packageManager }: Project, ...parameters: string[]) => {
  const [command = '', ...before] = prefix[packageManager]
  return { command, parameters: [...before, 'payload', ...parameters] }
}

/** Installs a package, and adds it to the dependencies. */
export const addPackage = ({ packageManager }: Project, spec: string): StoreCommand => ({
  title: 'Install the packages',
  command: packageManager,
  parameters: [packageManager === 'npm' ? 'install' : 'add', spec],
})

/** What comes after the files were changed. */
export function commandsAfter(project: Project, change: MigrationName): StoreCommand[] {
  return [
    { title: 'Install the packages', command: project.packageManager, parameters: ['install'] },
    {
      title: 'Write the import map of the admin',
      ...payload(project, 'generate:importmap'),
      says: 'import map',
    },
    {
      title: 'Write the types',
      ...payload(project, 'generate:types'),
      // Types that are as they were are not written, without a word.
      says: 'compiling ts types',
    },
    ...migrationCommands(project, change),
  ]
}

type MigrationName = 'storeconnect' | 'without-storeconnect'

function migrationCommands(project: Project, name: MigrationName): StoreCommand[] {
  const { migrations, database } = project
  if (migrations === undefined) return []
  const create = {
    title: 'Make a migration',
    ...payload(project, 'migrate:create', name, '--skip-empty'),
    says: 'statements generation complete',
    migrations,
  }
  const on = database === 'sqlite' ? 'sqlite' : 'postgres'
  return [{ ...create, ...(name === 'storeconnect' ? { addsOn: on } : { dropsOn: on }) }]
}

/** On Node 20, Payload's command sometimes ends without a word and has done nothing. */
const maxTries = 5

/** Payload's questions have it. Where nobody can answer, its command ends at the first one and has done nothing. */
const question = 'created or renamed from another'

/**
 * @param where Unseen, or in this terminal, where a person answers what it asks.
 * @returns Whether it has done its work, or asks something first.
 * @throws {InstallerProblem} with the end of its output when a command fails.
 */
export async function runStoreCommand(
  folder: string,
  command: StoreCommand,
  where: 'unseen' | 'in the terminal',
): Promise<'done' | 'asks'> {
  for (let tries = 1; tries <= maxTries; tries += 1) {
    const before = readMigrations(folder, command.migrations)
    const { code, output } = await run(folder, command, where)
    if (command.migrations !== undefined && output.includes(question)) return 'asks'
    if (code !== 0) {
      throw new InstallerProblem(`${lineOf(command)} failed:\n${output.slice(-2000)}\n${again}`)
    }
    const isDone =
      where === 'unseen'
        ? output.toLowerCase().includes(command.says ?? '')
        : writtenSince(before).length > 0
    if (isDone) return 'done'
  }
  throw new InstallerProblem(
    `${lineOf(command)} did not say that it wrote anything, ${maxTries} times.\n${again}`,
  )
}

const again = 'When that is mended, repeat what you ran: it goes on with this command.'

export const lineOf = ({ command, parameters }: StoreCommand): string =>
  [command, ...parameters].join(' ')

/** Resolves to the exit code, and to the output that nobody saw. */
function run(
  cwd: string,
  { command, parameters }: StoreCommand,
  where: 'unseen' | 'in the terminal',
) {
  return new Promise<{ code: number | null; output: string }>((resolve, reject) => {
    // `npx --package …` has set it for this command alone, and npm would look for that package again.
    const env = { ...process.env, npm_config_package: undefined }
    const child = spawn(command, parameters, {
      cwd,
      env,
      stdio: where === 'unseen' ? ['ignore', 'pipe', 'pipe'] : 'inherit',
      shell: process.platform === 'win32',
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (chunk: Buffer) => (output += chunk.toString()))
    }
    child.on('error', (cause) =>
      reject(new InstallerProblem(`${command} cannot be started: ${cause.message}`, { cause })),
    )
    child.on('close', (code) => resolve({ code, output }))
  })
}
