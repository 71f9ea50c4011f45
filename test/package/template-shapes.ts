import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { cell } from './template-cell.js'

/** Below the store's repository. */
export const storeFolder = cell.shape === 'monorepo' ? 'apps/shop/' : ''
/** The folder of the store's code, below the store. */
export const sourceFolder = cell.shape === 'without-src' ? '' : 'src/'

/** Changes a store like the template into the one of the cell. */
export function shapeStore(store: string): void {
  const { change, moved, write } = filesIn(store)
  if (cell.database === 'postgres') {
    change('src/payload.config.ts', (text) =>
      text
        .replace('{ sqliteAdapter }', '{ postgresAdapter }')
        .replace('@payloadcms/db-sqlite', '@payloadcms/db-postgres')
        .replace(
          /sqliteAdapter\(\{.*?\n {2}\}\),/s,
          'postgresAdapter({ pool: { connectionString: process.env.DATABASE_URL } }),',
        ),
    )
  }
  const shapes: Record<typeof cell.shape, () => void> = {
    'like-the-template': () => undefined,
    'without-src'() {
      for (const name of readdirSync(join(store, 'src'))) moved(`src/${name}`, name)
      rmSync(join(store, 'src'), { recursive: true })
      change('tsconfig.json', (text) => text.replaceAll('./src/', './'))
      change('payload.config.ts', (text) => text.replace("'src/", "'"))
    },
    'own-proxy'() {
      const name = cell.next?.startsWith('15.') ? 'middleware' : 'proxy'
      write(
        `src/${name}.ts`,
        `import { NextResponse, type NextRequest } from 'next/server'

export function ${name}(request: NextRequest) {
  const response = NextResponse.next()
  response.headers.set('x-shop', request.nextUrl.pathname)
  return response
}

export const config = { matcher: ['/((?!_next|actions|admin|api).*)'] }
`,
      )
    },
    'inline-plugins'() {
      const plugins = readFileSync(join(store, 'src/plugins/index.ts'), 'utf8')
      const [imports = '', list = ''] = plugins.split(/export const plugins: Plugin\[\] = /)
      change('src/payload.config.ts', (text) =>
        text
          .replace(
            "import { plugins } from '@/plugins'\n",
            imports.replace(/.*\bPlugin \}.*\n/, ''),
          )
          .replace('  plugins,', () => `  plugins: ${list.trim()},`),
      )
      rmSync(join(store, 'src/plugins'), { recursive: true })
    },
    aliases() {
      change('src/payload.config.ts', (text) =>
        text
          .replace('{ buildConfig }', '{ buildConfig as storeOf }')
          .replace('default buildConfig(', 'default storeOf('),
      )
      change('src/plugins/index.ts', (text) =>
        text
          .replace('{ ecommercePlugin }', '{ ecommercePlugin as shop }')
          .replace('  ecommercePlugin(', '  shop('),
      )
    },
    javascript() {
      moved('src/payload.config.ts', 'src/payload.config.js')
      moved('src/plugins/index.ts', 'src/plugins/index.js')
      change('src/plugins/index.js', (text) =>
        text
          .replace(/.*\bPlugin \}.*\n/, '')
          .replace(': Plugin[]', '')
          .replace(' as string', ''),
      )
      change('tsconfig.json', (text) => text.replace('payload.config.ts', 'payload.config.js'))
    },
    monorepo() {
      change('next.config.ts', (text) =>
        text
          .replace('reactStrictMode', 'outputFileTracingRoot: root,\n  reactStrictMode')
          .replace('root: import.meta.dirname', 'root')
          .replace(
            '\nconst config',
            "\nconst root = path.join(import.meta.dirname, '../..')\n\nconst config",
          )
          .replace(/^/, "import path from 'node:path'\n"),
      )
    },
  }
  shapes[cell.shape]()
}

function filesIn(store: string) {
  const fileOf = (path: string) => join(store, path)
  const change = (path: string, how: (text: string) => string) => {
    const text = readFileSync(fileOf(path), 'utf8')
    const changed = how(text)
    if (changed === text) throw new Error(`Nothing in ${path} is to be changed.`)
    writeFileSync(fileOf(path), changed)
  }
  return {
    change,
    moved: (from: string, to: string) => renameSync(fileOf(from), fileOf(to)),
    write: (path: string, text: string) => writeFileSync(fileOf(path), text),
  }
}

/** Makes the files around the store: of a repository with several packages, and of pnpm. */
export function makeRepository(repository: string): void {
  mkdirSync(repository, { recursive: true })
  const isMonorepo = cell.shape === 'monorepo'
  if (isMonorepo) {
    const manifest = { name: 'repository', private: true, workspaces: ['apps/*'] }
    writeFileSync(join(repository, 'package.json'), JSON.stringify(manifest, null, 2))
  }
  if (cell.packageManager === 'pnpm') {
    const settings = [
      // pnpm ends with an error where nobody has said which packages may run scripts. None has to.
      'strictDepBuilds: false',
      // The webpack of Next.js 15 looks for it in the store itself, also without Storeconnect.
      'publicHoistPattern: [libsql]',
      ...(isMonorepo ? ['packages: [apps/*]'] : []),
    ]
    writeFileSync(join(repository, 'pnpm-workspace.yaml'), `${settings.join('\n')}\n`)
  }
}
