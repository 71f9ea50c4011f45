import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A file of the store before and after; undefined where it is not there. */
export interface FileChange {
  path: string
  before: string | undefined
  after: string | undefined
}

/** The files of a store, with changes that are held in memory until all of them are known. */
export class ProjectFiles {
  readonly #changed = new Map<string, string | undefined>()

  constructor(readonly folder: string) {}

  /** @param path Below the store's folder, with `/`. @returns Its text; undefined when there is no such file. */
  read(path: string): string | undefined {
    return this.#changed.has(path) ? this.#changed.get(path) : this.#readDisk(path)
  }

  has(path: string): boolean {
    return this.#changed.has(path)
      ? this.#changed.get(path) !== undefined
      : existsSync(join(this.folder, path))
  }

  write(path: string, text: string): void {
    this.#changed.set(path, text)
  }

  remove(path: string): void {
    this.#changed.set(path, undefined)
  }

  /** The names in a folder on the disk; none when there is no such folder. */
  list(path: string): { name: string; isFolder: boolean }[] {
    if (!existsSync(join(this.folder, path))) return []
    return readdirSync(join(this.folder, path), { withFileTypes: true })
      .map((entry) => ({ name: entry.name, isFolder: entry.isDirectory() }))
      .sort((one, other) => (one.name < other.name ? -1 : 1))
  }

  changes(): FileChange[] {
    return [...this.#changed]
      .map(([path, after]) => ({ path, before: this.#readDisk(path), after }))
      .filter(({ before, after }) => before !== after)
  }

  #readDisk(path: string): string | undefined {
    const file = join(this.folder, path)
    return existsSync(file) ? readFileSync(file, 'utf8') : undefined
  }
}
