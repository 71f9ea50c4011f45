import { spawn } from 'node:child_process'
import type { PackageManager, Project } from './project.js'
import { InstallerProblem } from './installer-problem.js'

/** A command that is run in the store's folder. */
export interface StoreCommand {
  /** What is said while it runs. */
  title: string
  command: string
  parameters: string[]
  /** What its output has, in any case, when it has done its work; it is run again until then. Default: it is run once. */
  says?: string
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
export function commandsAfter(project: Project, migration: string): StoreCommand[] {
  const { packageManager, migrations } = project
  return [
    { title: 'Install the packages', command: packageManager, parameters: ['install'] },
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
    ...(migrations === undefined
      ? []
      : [
          {
            title: 'Make a migration',
            ...payload(project, 'migrate:create', migration, '--skip-empty'),
            says: 'statements generation complete',
          },
        ]),
  ]
}

/** On Node 20, Payload's command sometimes ends without a word and has done nothing. */
const maxTries = 5

/** @throws {InstallerProblem} with the end of its output when a command fails. */
export async function runStoreCommand(folder: string, command: StoreCommand): Promise<void> {
  for (let tries = 1; tries <= maxTries; tries += 1) {
    const { code, output } = await run(folder, command)
    if (code !== 0) {
      throw new InstallerProblem(`${lineOf(command)} failed:\n${output.slice(-2000)}\n${again}`)
    }
    if (output.toLowerCase().includes(command.says ?? '')) return
  }
  throw new InstallerProblem(
    `${lineOf(command)} did not say that it wrote anything, ${maxTries} times.\n${again}`,
  )
}

const again = 'When that is mended, repeat what you ran: it goes on with this command.'

export const lineOf = ({ command, parameters }: StoreCommand): string =>
  [command, ...parameters].join(' ')

function run(cwd: string, { command, parameters }: StoreCommand) {
  return new Promise<{ code: number | null; output: string }>((resolve, reject) => {
    // `npx --package …` has set it for this command alone, and npm would look for that package again.
    const env = { ...process.env, npm_config_package: undefined }
    const child = spawn(command, parameters, {
      cwd,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
      shell: process.platform === 'win32',
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk: Buffer) => (output += chunk.toString()))
    }
    child.on('error', (cause) =>
      reject(new InstallerProblem(`${command} cannot be started: ${cause.message}`, { cause })),
    )
    child.on('close', (code) => resolve({ code, output }))
  })
}
