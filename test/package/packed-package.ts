import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
const checkout = join(import.meta.dirname, '../..')

/** What the package is built and packed from, and the demo store. */
const sources = [
  'CHANGELOG.md',
  'LICENSE',
  'README.md',
  'SECURITY.md',
  'dev',
  'docs',
  'package.json',
  'src',
  'tsconfig.base.json',
  'tsconfig.build.json',
]

/**
 * Packs the package in the folder, from a copy of its sources, where nothing is built yet. Resolves to
 * the paths of the tarball and of the copy.
 */
export async function packPackage(directory: string) {
  const copy = join(directory, 'sources')
  mkdirSync(copy)
  for (const source of sources) {
    cpSync(join(checkout, source), join(copy, source), { recursive: true, filter: isSource })
  }
  symlinkSync(join(checkout, 'node_modules'), join(copy, 'node_modules'))
  await run('npm', ['pack', '--pack-destination', directory], { cwd: copy })
  const tarball = readdirSync(directory).find((name) => name.endsWith('.tgz'))
  if (tarball === undefined) throw new Error('npm pack made no tarball.')
  return { tarball: join(directory, tarball), copy }
}

/** Not what a build or a start of the demo store has left, or is writing. */
const isSource = (path: string) => !/[\\/](\.next|\.data|next-env\.d\.ts)([\\/]|$)/.test(path)
