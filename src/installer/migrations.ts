import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** The migrations of a store at a moment. */
export interface Migrations {
  /** The store's folder. */
  store: string
  /** The folder of the migrations, below it; undefined where there are none. */
  folder: string | undefined
  /** Their files, by the paths below the store. Payload writes the schema of each beside it, as `.json`. */
  paths: string[]
  /** What Payload's index of them has. */
  index: string
}

export function readMigrations(store: string, folder: string | undefined): Migrations {
  const names =
    folder !== undefined && existsSync(join(store, folder)) ? readdirSync(join(store, folder)) : []
  const index = 'index.ts'
  return {
    store,
    folder,
    paths: names
      .filter((name) => name.endsWith('.ts') && name !== index)
      .map((name) => `${folder}/${name}`),
    index: names.includes(index) ? readFileSync(join(store, `${folder}/${index}`), 'utf8') : '',
  }
}

/** The paths of the migrations that were written since. */
export const writtenSince = ({ store, folder, paths }: Migrations): string[] =>
  readMigrations(store, folder).paths.filter((path) => !paths.includes(path))

/** The schema that the newest of them leads to, as Payload keeps it; undefined where there is none. */
export function newestSchema({ store, paths }: Migrations): unknown {
  const schemas = paths.map((path) => join(store, path.replace(/\.ts$/, '.json')))
  const newest = schemas
    .filter((schema) => existsSync(schema))
    .sort()
    .at(-1)
  return newest === undefined ? undefined : JSON.parse(readFileSync(newest, 'utf8'))
}

/** Takes back a migration that was written since. */
export function withdrawMigration({ store, folder, index }: Migrations, path: string): void {
  for (const written of [path, path.replace(/\.ts$/, '.json')]) {
    rmSync(join(store, written), { force: true })
  }
  writeFileSync(join(store, `${folder}/index.ts`), index)
}
