import { dirname, join, relative } from 'node:path'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import ts from 'typescript'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { serveKlaviyoStandIn } from '../../dev/klaviyo/serve-stand-in.ts'
import { demoApiKey } from '../../dev/klaviyo/stand-in.ts'
import { problems } from '../../src/core/errors.js'
import { whenFilled } from '../browser/demo.js'
import { readDeclarations, type Declarations } from './declarations.js'
import { documentSnippets } from './document-snippets.js'
import { makeOwnStore, type OwnStore } from './own-store.js'
import { filesByHand } from './files-by-hand.js'

const checkout = join(import.meta.dirname, '../..')

describe('The packed package', () => {
  let store: OwnStore
  let printed: { types: string; importMap: string }
  let generated: (path: string) => string

  beforeAll(async () => {
    await whenFilled()
    store = await makeOwnStore()
    const [types, importMap, read] = await Promise.all([
      store.payload('generate:types'),
      store.payload('generate:importmap'),
      store.generate(),
      store.develop('past-orders.ts'),
    ])
    printed = { types, importMap }
    generated = read
    const exported = entries().map((entry, index) => `export * as entry${index} from '${entry}'`)
    writeFileSync(join(store.directory, 'entries.ts'), exported.join('\n'))
  })
  afterAll(() => store.remove())

  /** The names that a store imports the package by. */
  const entries = () =>
    Object.keys(store.manifest.exports).map(
      (path) => store.manifest.name + path.slice(1).replace('*', language),
    )

  describe('holds', () => {
    it('code, types and documents, and no tests, sources, pictures or demo', () => {
      const kinds = new Set(
        store.packedFiles.map((path) => path.replace(/^(\w+)\/.*?((\.d)?\.\w+)$/, '$1/*$2')),
      )
      expect([...kinds].sort()).toEqual([
        'CHANGELOG.md',
        'LICENSE',
        'README.md',
        'SECURITY.md',
        'dist/*.d.ts',
        'dist/*.js',
        'docs/*.md',
        'package.json',
      ])
    })

    it('each document that the README and the documents link, and the repository what else they link', () => {
      const documents = store.packedFiles.filter((path) => path.endsWith('.md'))
      const missing = documents.flatMap((path) => {
        const text = readFileSync(join(store.packageDirectory, path), 'utf8')
        const targets = [...text.matchAll(/\]\((?![a-z]+:|#)([^)#\s]+)/g)].map(([, target]) =>
          join(dirname(path), target ?? ''),
        )
        return targets.filter((target) => {
          const isDocument = /^docs\/.*\.md$/.test(target)
          return !existsSync(join(isDocument ? store.packageDirectory : checkout, target))
        })
      })
      expect(missing).toEqual([])
    })

    it('no path of the machine that it was built on', () => {
      const texts = store.packedFiles.map((path) => store.read(join(packagePath(), path)))
      expect(texts.filter((text) => text.includes(dirname(store.directory)))).toEqual([])
    })

    const packagePath = () => relative(store.directory, store.packageDirectory)
  })

  it('fits the import map of the demo store as it is: `npm run generate` changes nothing', () => {
    const path = 'dev/app/(payload)/admin/importMap.js'
    expect(generated(path)).toBe(readFileSync(join(checkout, path), 'utf8'))
  })

  describe('in a store of its own', () => {
    it('exports what the README says', async () => {
      await store.payload('--disable-transpile', 'run', 'list-exports.mjs', ...entries())
      const names = JSON.parse(store.read('exports.json')) as Record<string, string[]>
      expect(names).toMatchObject({
        'payload-storeconnect': arrayWith('storeConnect', 'defineAction', 'handlerOf'),
        'payload-storeconnect/next': arrayWith('actionRoutes', 'storePages'),
        'payload-storeconnect/proxy': ['visitorSession'],
        'payload-storeconnect/node': arrayWith('actionsListener', 'stopDelivery'),
        'payload-storeconnect/translations/languages/en': ['en', 'enTranslations'],
      })
      // Whatever the admin's import map takes is there.
      for (const { entry, name } of importMapEntries()) expect(names[entry]).toContain(name)
      expect(Object.keys(names)).toEqual(entries())
      const types = 'payload-storeconnect/types'
      expect(entries().filter((entry) => names[entry]?.length === 0)).toEqual([types])
    })

    it('gives the admin its components, and its collections and settings their types', () => {
      expect(Object.values(printed).join()).not.toMatch(/error|warn/i)
      expect(importMapEntries().map(({ entry }) => entry)).toEqual(
        expect.arrayContaining(['payload-storeconnect/rsc', 'payload-storeconnect/client']),
      )
      const types = store.read('payload-types.ts')
      for (const slug of ['marketing-sends', 'shipping-settings', 'marketing-settings', 'sites'])
        expect(types).toContain(slug)
      expect(types).toContain("'shipped'")
    })

    it('type-checks with the files that are made by hand, under the strictest options', () => {
      expect([...filesByHand().keys()]).toContain('app/actions/[...path]/route.ts')
      expect(problemsOf(wholeStore(), (path) => !isSnippet(path))).toEqual([])
    })

    it('exports orders and takes what visitors post', async () => {
      await store.payload('run', 'use-store.ts')
      const answers = JSON.parse(store.read('answers.json')) as Record<string, unknown>
      const xml = {
        status: 200,
        type: stringWith('text/xml'),
        text: stringWith('<CustomerCode>'),
      }
      expect(answers).toMatchObject({
        pulled: xml,
        pulledByHandle: xml,
        refused: { status: 401 },
        identified: { status: 200, text: '"success"' },
        // The order's own events as well.
        sends: expect.arrayContaining(
          ['identify', 'event'].map((kind): unknown =>
            expect.objectContaining({ kind, state: 'queued' }),
          ),
        ) as unknown,
      })
    })
  })

  describe('is documented, so that', () => {
    let declarations: Declarations
    beforeAll(() => {
      declarations = readDeclarations(wholeStore())
    })

    it('a store can use each snippet of the documents', () => {
      const snippets = [...documentSnippets().keys()]
      expect(snippets).toEqual(expect.arrayContaining(['documents/options-1.ts']))
      expect(problemsOf(wholeStore(), isSnippet)).toEqual([])
    })

    it('all that a store can import is in the chapter of exports, and nothing else', () => {
      const names = [
        ...entries().flatMap((entry) => declarations.exportsOf(declarationsOf(entry))),
        ...declarations.piecesOf(declarationsOf('payload-storeconnect/next'), 'storePages'),
        ...membersOf('payload-storeconnect/proxy', 'VisitorSessionOptions'),
      ]
      const [, chapter = ''] = document('options.md').split('## Everything that a store can import')
      // Of a row of a table, its first cell.
      const listed = chapter
        .split('\n')
        .flatMap((line) => [...line.matchAll(line.startsWith('|') ? /^\| `(\w+)`/g : /`(\w+)`/g)])
        .map(([, name = '']) => name)
      expect([...new Set(listed)].sort()).toEqual([...new Set(names)].sort())
    })

    it('every option is on the page of options', () => {
      const types = [
        'AlertOptions',
        'ErasureOptions',
        'MarketingOptions',
        'OrderOptions',
        'PaymentOptions',
        'RestoreOptions',
        'ShippingOptions',
        'StoreConnectOptions',
        'TrustProxy',
      ]
      const names = types.flatMap((type) => membersOf('payload-storeconnect/types', type))
      expect(names).toEqual(expect.arrayContaining(['timezone', 'beforeExport', 'linkDays']))
      const page = document('options.md')
      expect(names.filter((name) => !new RegExp(`\\b${name}\\b`).test(page))).toEqual([])
    })

    it('every error code is on the page of errors, with its status', () => {
      const rows = [...document('errors.md').matchAll(/^\| (\d{3}) +\| `(\w+)` /gm)]
      expect(Object.fromEntries(rows.map(([, status, code]) => [code, Number(status)]))).toEqual(
        Object.fromEntries(Object.entries(problems).map(([code, { status }]) => [code, status])),
      )
    })

    const document = (page: string) =>
      readFileSync(join(store.packageDirectory, 'docs', page), 'utf8')
    const membersOf = (entry: string, type: string) =>
      declarations.membersOf(declarationsOf(entry), type)
    const declarationsOf = (entry: string) => {
      const path = `.${entry.slice(store.manifest.name.length)}`
      const [, { types }] = Object.entries(store.manifest.exports).find(
        ([pattern]) => pattern.replace('*', language) === path,
      ) ?? ['', { types: '' }]
      return join(store.packageDirectory, types.replace('*', language))
    }
  })

  describe('has a command, storeconnect sync-orders, which', () => {
    const lastYear = ['--from', '2025-01-01', '--to', '2026-01-01']

    it('sends past orders from the folder of the store, and says how far it is', async () => {
      const { standIn, origin, close } = await serveKlaviyoStandIn({ port: 0 })
      const platform = { KLAVIYO_URL: origin, KLAVIYO_API_KEY: demoApiKey }
      // What another test has this store send may go out on the way.
      const pastEvents = () =>
        standIn.state.events.filter(({ time }) => new Date(time) < new Date('2026-01-01'))
      try {
        const given = ['sync-orders', ...lastYear, '--yes', '--wait']
        const { code, stdout } = await store.storeconnect(given, platform)
        expect({ code, stdout }).toMatchObject({ code: 0 })
        expect(stdout).toMatch(/3 orders from 2025-01-01 up to 2026-01-01, without that day\./)
        expect(stdout).toMatch(/100 % {2}Done: 3 of 3 orders, 6 events/)
        expect(stdout).toMatch(/All orders are in the queue/)
        expect(
          pastEvents().map(({ metric, time }) => [metric, new Date(time).toISOString()]),
        ).toEqual(
          ['2025-02-01', '2025-07-15', '2025-12-31'].flatMap((day) =>
            ['Placed Order', 'Ordered Product'].map((name) => [name, `${day}T12:00:00.000Z`]),
          ),
        )
        // What the store's own hooks said.
        expect(pastEvents()[0]?.properties).toMatchObject({ LineCount: 1, Past: true })
      } finally {
        await close()
      }
    })

    it('explains itself, and says what was wrong with a call', async () => {
      const usage = 'Usage: storeconnect sync-orders'
      const calls = [['--help'], ['sync-orders', '--help'], ['sync-orders', '--all'], ['sync']]
      const wrongDay = ['sync-orders', '--from', '2025-02-30', '--to', '2026-01-01']
      const [help, itsHelp, option, command, day] = await Promise.all(
        [...calls, wrongDay].map((given) => store.storeconnect(given)),
      )
      for (const asked of [help, itsHelp]) {
        expect(asked).toMatchObject({ code: 0, stdout: stringWith(usage), stderr: '' })
      }
      for (const [refused, problem] of [
        [option, "Unknown option '--all'."],
        [command, 'There is no command "sync".'],
        [day, '--from must be a day such as 2025-01-31, and not "2025-02-30".'],
      ] as const) {
        expect(refused).toMatchObject({ code: 2, stdout: '', stderr: stringWith(problem) })
        expect(refused?.stderr).toContain(usage)
      }
    })
  })

  it('has a command, storeconnect erase, which erases a person from the folder of the store', async () => {
    const erased = await store.storeconnect(['erase', 'nobody@example.com', '--yes'])
    expect(erased).toMatchObject({ code: 0, stdout: stringWith('Erased in the shop.') })
    expect(erased.stdout).not.toContain('nobody@example.com')
  })

  const importMapEntries = () =>
    [
      ...store
        .read('app/(payload)/admin/importMap.js')
        .matchAll(/import \{ (\w+) as \w+ \} from '(payload-storeconnect[^']*)'/g),
    ].map(([, name = '', entry = '']) => ({ entry, name }))

  const isSnippet = (path: string) => path.startsWith('documents/')

  let compiled: ts.Program | undefined
  /** With the store's own options. */
  const wholeStore = () => (compiled ??= compile())

  function compile(): ts.Program {
    const text = store.read('tsconfig.json')
    const { config } = ts.parseConfigFileTextToJson('tsconfig.json', text) as { config: object }
    const include = ['**/*.ts', '**/*.tsx']
    const { fileNames, options } = ts.parseJsonConfigFileContent(
      { ...config, include },
      ts.sys,
      store.directory,
    )
    return ts.createProgram(fileNames, options)
  }

  /** What the compiler says of the files that are meant: the store's, and the package's declarations. */
  function problemsOf(program: ts.Program, isMeant: (path: string) => boolean): string[] {
    const files = program
      .getSourceFiles()
      .filter(({ fileName }) => fileName.startsWith(store.directory))
    expect(files.some(({ fileName }) => fileName.endsWith('/dist/index.d.ts'))).toBe(true)
    const ours = files.filter(({ fileName }) => isMeant(relative(store.directory, fileName)))
    expect(ours).not.toEqual([])
    const problems = [
      ...program.getOptionsDiagnostics(),
      ...ours.flatMap((file) => [
        ...program.getSyntacticDiagnostics(file),
        ...program.getSemanticDiagnostics(file),
      ]),
    ]
    return problems.map(
      ({ file, messageText }) =>
        `${file?.fileName ?? ''}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`,
    )
  }
})

/** The language that stands for all in the package's exports. */
const language = 'en'

const arrayWith = (...names: string[]): unknown => expect.arrayContaining(names)
const stringWith = (text: string): unknown => expect.stringContaining(text)
