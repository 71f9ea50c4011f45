import { execFile } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { cell } from './template-cell.js'

const run = promisify(execFile)

/** What a store's developer types. */
interface PackageManager {
  /** Installs what the manifest names. */
  install(): Promise<string>
  /** Runs the command of a package that the store does not have yet. Resolves to what it printed. */
  runFetched(tarball: string, ...command: string[]): Promise<string>
  /** Runs the command of a package that the store has. Resolves to what it printed. */
  runInstalled(...command: string[]): Promise<string>
}

/**
 * @param tools A folder for the package manager itself.
 * @param environment Of the commands.
 */
export function packageManagerIn(
  store: string,
  { tools, environment }: { tools: string; environment: NodeJS.ProcessEnv },
): PackageManager {
  const env = {
    ...process.env,
    ...environment,
    PATH: [join(tools, 'node_modules/.bin'), process.env.PATH].join(delimiter),
    npm_config_prefer_offline: 'true',
    npm_config_audit: 'false',
    npm_config_fund: 'false',
  }
  const call = async (program: string, ...words: string[]) => {
    const { stdout } = await run(program, words, { cwd: store, env })
    return stdout
  }
  const managers: Record<typeof cell.packageManager, PackageManager> = {
    npm: {
      install: () => call('npm', 'install'),
      async runFetched(tarball, ...command) {
        const printed = await call('npm', 'exec', '--yes', '--package', tarball, '--', ...command)
        const cache = await call('npm', 'config', 'get', 'cache', '--workspaces=false')
        forgetFetched(cache.trim(), tarball)
        return printed
      },
      runInstalled: (...command) => call('npm', 'exec', '--no', '--', ...command),
    },
    pnpm: {
      async install() {
        await call('npm', 'install', '--prefix', tools, 'pnpm')
        return call('pnpm', 'install')
      },
      runFetched: (tarball, ...command) => call('pnpm', `--package=${tarball}`, 'dlx', ...command),
      runInstalled: (...command) => call('pnpm', 'exec', ...command),
    },
  }
  return managers[cell.packageManager]
}

/** npm keeps what it fetched for a command by the tarball's path, which is another one each time. */
function forgetFetched(cache: string, tarball: string): void {
  for (const name of readdirSync(join(cache, '_npx'))) {
    const folder = join(cache, '_npx', name)
    const manifest = join(folder, 'package.json')
    if (existsSync(manifest) && readFileSync(manifest, 'utf8').includes(tarball))
      rmSync(folder, { recursive: true })
  }
}
