import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
const checkout = join(import.meta.dirname, '../..')

/** What the package is built and packed from, and nothing else. */
const sources = [
  'CHANGELOG.md',
  'LICENSE',
  'README.md',
  'SECURITY.md',
  'docs',
  'package.json',
  'src',
  'tsconfig.base.json',
  'tsconfig.build.json',
]

/**
 * Packs the package in the folder, from a copy of its sources, where nothing is built yet. Resolves to
 * the tarball's path.
 */
export async function packPackage(directory: string): Promise<string> {
  const copy = join(directory, 'sources')
  mkdirSync(copy)
  for (const source of sources) {
    cpSync(join(checkout, source), join(copy, source), { recursive: true })
  }
  symlinkSync(join(checkout, 'node_modules'), join(copy, 'node_modules'))
  await run('npm', ['pack', '--pack-destination', directory], { cwd: copy })
  const tarball = readdirSync(directory).find((name) => name.endsWith('.tgz'))
  if (tarball === undefined) throw new Error('npm pack made no tarball.')
  return join(directory, tarball)
}
