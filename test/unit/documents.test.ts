import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'

const project = join(import.meta.dirname, '../..')
const read = (path: string) => readFileSync(join(project, path), 'utf8')

/** npm shows the README without the files beside it. */
const repository = 'https://raw.githubusercontent.com/storeconnect/payload-storeconnect/HEAD/'

const pages = [
  'README.md',
  'CONTRIBUTING.md',
  'AGENTS.md',
  'CHANGELOG.md',
  ...readdirSync(join(project, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
]

describe('AGENTS.md', () => {
  it('names files that exist', () => {
    const paths = [...read('AGENTS.md').matchAll(/`(src\/[^`]+)`/g)].map(([, path = '']) => path)
    expect(paths.length).toBeGreaterThan(40)
    expect(paths.filter((path) => !existsSync(join(project, path)))).toEqual([])
  })

  it('is a map, and no book', () => {
    expect(read('AGENTS.md').split('\n').length).toBeLessThanOrEqual(61)
  })
})

describe('docs/start.md', () => {
  it('installs the oldest Next.js 16 that the package takes', () => {
    const { peerDependencies } = JSON.parse(read('package.json')) as {
      peerDependencies: { next: string }
    }
    const [, installed] = /`npm install next@\^([\d.]+)`/.exec(read('docs/start.md')) ?? []
    expect(peerDependencies.next.split(' || ').at(-1)).toBe(`>=${installed} <17.0.0`)
  })
})

describe.each(pages)('%s', (page) => {
  it('links to headings that exist', () => {
    const links = [...read(page).matchAll(/\]\((?![a-z]+:)([^)#\s]*)#([^)\s]+)\)/g)]
    const missing = links.filter(([, path = '', heading = '']) => {
      const target = path === '' ? page : join(dirname(page), path)
      return !headingsOf(read(target)).includes(heading)
    })
    expect(missing.map(([link]) => link)).toEqual([])
  })

  it('links to files that exist', () => {
    const links = [...read(page).matchAll(/\]\((?![a-z]+:|#)([^)#\s]+)/g)]
    const missing = links.filter(([, path = '']) => !existsSync(join(project, dirname(page), path)))
    expect(missing.map(([link]) => link)).toEqual([])
  })

  it('shows pictures that exist', () => {
    const pictures = [...read(page).matchAll(/!\[[^\]]+\]\(([^)]+)\)/g)].map(([, url = '']) => url)
    const paths = pictures.map((url) =>
      page === 'README.md' ? url.replace(repository, '') : join(dirname(page), url),
    )
    expect(paths.filter((path) => !existsSync(join(project, path)))).toEqual([])
  })

  it('names commands and tests that exist', () => {
    const commands = [...read(page).matchAll(/\bnpm (?:run ([\w:-]+)|(start|test)\b)/g)]
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }
    const noScripts = commands.filter(([, run, other]) => !(String(run ?? other) in scripts))
    const tests = [...read(page).matchAll(/(?<![\w/.])test\/[\w/.-]*\w/g)]
    const noTests = tests.filter(
      ([path]) => !['', '.test.ts'].some((end) => existsSync(join(project, path + end))),
    )
    expect([...noScripts, ...noTests].map(([text]) => text)).toEqual([])
  })
})

// The other pages name files of a store, which may have a `src/` too.
const aboutTheSource = pages.filter((page) => /architecture|decisions/.test(page))

describe.each(aboutTheSource)('%s', (page) => {
  it('names files of the source that exist', () => {
    const paths = [...read(page).matchAll(/`((?:src|bench|dev)\/[^`\s]*)`/g)].map(
      ([, path = '']) => path,
    )
    expect(paths.filter((path) => !existsSync(join(project, path)))).toEqual([])
  })
})

describe('The source', () => {
  it('cites documents that exist', () => {
    const files = readdirSync(join(project, 'src'), { recursive: true, encoding: 'utf8' })
    const cited = files
      .filter((name) => /\.tsx?$/.test(name))
      .flatMap((name) => [...read(`src/${name}`).matchAll(/(?<![\w./])docs\/[\w/-]+(?:\.md)?/g)])
      .map(([path]) => path)
    expect(cited.length).toBeGreaterThan(50)
    expect(cited.filter((path) => !existsSync(join(project, path)))).toEqual([])
  })
})

describe.each([
  ['docs/interface.md', 90],
  ['docs/events.md', 30],
])('%s', (page, least) => {
  it('names a test for each rule, by words of its titles', () => {
    const rules = read(page)
      .split('\n')
      .filter(
        (line) =>
          line.startsWith('|') && !/^\|[ |:-]*$|\| (?:Test|Unique id) +\|$|^\| \[/.test(line),
      )
    expect(rules.length).toBeGreaterThan(least)
    const wrong = rules.filter((rule) => {
      const tests = [...rule.matchAll(/`(test\/[^`]+)`((?:[:,] "[^"]+")*)/g)]
      const isThere = ([, path = '', titles = '']: string[]) =>
        existsSync(join(project, path)) &&
        [...titles.matchAll(/"([^"]+)"/g)].every(([, title = '']) => read(path).includes(title))
      return tests.length === 0 || !tests.every(isThere)
    })
    expect(wrong).toEqual([])
  })
})

describe('docs/interface.md', () => {
  it('is what is cited, by headings that it has', () => {
    const files = ['src', 'test', 'bench', 'dev', 'docs'].flatMap((folder) =>
      readdirSync(join(project, folder), { recursive: true, encoding: 'utf8' })
        .filter((name) => /\.(?:tsx?|md)$/.test(name) && !/node_modules|\.next/.test(name))
        .map((name) => `${folder}/${name}`),
    )
    const headings = headingsOf(read('docs/interface.md'))
    const unknown = files.flatMap((file) => {
      const text = read(file).replaceAll(/\s+(?:\* )?/g, ' ')
      const elsewhere = text.matchAll(/(?<!docs\/|\]\((?:\.\.\/)?)\b(?:interface|decisions)\.md\b/g)
      const cited = [...text.matchAll(/\bdocs\/interface\.md`? \(([^)]+)\)/g)]
      return [
        ...elsewhere,
        ...cited.filter(([, name = '']) => !headings.includes(headingsOf(`# ${name}`)[0] ?? '')),
      ].map(([citation]) => `${file}: ${citation}`)
    })
    expect(unknown).toEqual([])
  })
})

/** As GitHub names the headings of a page in its URL. */
const headingsOf = (text: string): string[] =>
  [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  )
