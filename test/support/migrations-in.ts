import { readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Migration } from 'payload'

/** The files of migrations in a folder, in their order. Payload writes an index beside them. */
export const migrationFiles = (directory: string): string[] =>
  readdirSync(directory)
    .filter((name) => name.endsWith('.ts') && name !== 'index.ts')
    .sort()

/** Imports them here: Payload alone could not import TypeScript in the process of a test. */
export const migrationsIn = (directory: string): Promise<Migration[]> =>
  Promise.all(
    migrationFiles(directory).map(async (file) => {
      const { up, down } = (await import(join(directory, file))) as Omit<Migration, 'name'>
      return { name: basename(file, '.ts'), up, down }
    }),
  )
