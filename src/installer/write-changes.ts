import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import type { FileChange } from './project-files.js'

/** In the store's folder while changes are written, so that what was interrupted can be finished. */
const journalName = '.storeconnect-changes.json'

/**
 * Writes all changes or none. They are in one journal first, which appears by a rename. Whoever is killed before that
 * has changed nothing; what is killed after it is finished by {@link finishChanges}, which each command calls first.
 */
export function writeChanges(folder: string, changes: readonly FileChange[]): void {
  if (changes.length === 0) return
  const journal = join(folder, journalName)
  writeFileSync(
    `${journal}.new`,
    JSON.stringify(changes.map(({ path, after }) => ({ path, after }))),
  )
  renameSync(`${journal}.new`, journal)
  finishChanges(folder)
}

/** Finishes changes that a killed command has begun to write. @returns Whether there were any. */
export function finishChanges(folder: string): boolean {
  const journal = join(folder, journalName)
  rmSync(`${journal}.new`, { force: true })
  if (!existsSync(journal)) return false
  const changes = JSON.parse(readFileSync(journal, 'utf8')) as Pick<FileChange, 'path' | 'after'>[]
  for (const { path, after } of changes) {
    const file = join(folder, path)
    if (after === undefined) {
      rmSync(file, { force: true })
      removeEmptyFolders(folder, dirname(file))
    } else {
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(`${file}.new`, after)
      renameSync(`${file}.new`, file)
    }
  }
  rmSync(journal)
  return true
}

function removeEmptyFolders(root: string, folder: string): void {
  while (folder !== root && readdirSync(folder).length === 0) {
    rmdirSync(folder)
    folder = dirname(folder)
  }
}
