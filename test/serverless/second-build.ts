import { cpSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join, relative } from 'node:path'
import { storeDirectory } from '../../dev/environment.ts'

const build = join(storeDirectory, '.next')

/** The build of the demo store once more, under another id. `directory`: as Next.js names it, below `dev/`. */
export function copyBuild(id: string) {
  const copy = join(storeDirectory, '.data', id)
  // Its links become absolute, as it lies one folder deeper.
  cpSync(build, copy, { recursive: true, filter: (path) => basename(path) !== 'cache' })
  const first = readFileSync(join(build, 'BUILD_ID'), 'utf8')
  renameSync(join(copy, 'static', first), join(copy, 'static', id))
  writeFileSync(join(copy, 'BUILD_ID'), id)
  return {
    directory: relative(storeDirectory, copy),
    remove: () => rmSync(copy, { recursive: true }),
  }
}
