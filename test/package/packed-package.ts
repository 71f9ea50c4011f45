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
 * Packs the package in the folder, from a copy of its sources, which npm builds there. Resolves to the paths
 * of the tarball and of the copy.
 *
 * @param isBuilt Packs what the checkout has built already.
 */
export async function packPackage(directory: string, { isBuilt = false } = {}) {
  const copy = join(directory, 'sources')
  mkdirSync(copy)
  for (const source of isBuilt ? [...sources, 'dist'] : sources) {
    cpSync(join(checkout, source), join(copy, source), { recursive: true, filter: isSource })
  }
  symlinkSync(join(checkout, 'node_modules'), join(copy, 'node_modules'))
  const parameters = ['pack', '--pack-destination', directory]
  if (isBuilt) parameters.push('--ignore-scripts')
  await run('npm', parameters, { cwd: copy })
  const tarball = readdirSync(directory).find((name) => name.endsWith('.tgz'))
  if (tarball === undefined) throw new Error('npm pack made no tarball.')
  return { tarball: join(directory, tarball), copy }
}

/** Not what a build or a start of the demo store has left, or is writing. */
const isSource = (path: string) =>
  !/[\\/](\.next|\.built|\.data|next-env\.d\.ts)([\\/]|$)/.test(path)
