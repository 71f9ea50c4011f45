import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { StoreCommand } from './store-commands.js'

/** In the store's folder while commands have not succeeded yet, so that the next command of the installer runs them. */
const fileName = '.storeconnect-commands.json'

/** Keeps the commands that are still to be run, in the place of those that were kept before. */
export function keepCommands(folder: string, commands: readonly StoreCommand[]): void {
  const file = join(folder, fileName)
  if (commands.length === 0) {
    rmSync(file, { force: true })
    return
  }
  writeFileSync(`${file}.new`, JSON.stringify(commands))
  renameSync(`${file}.new`, file)
}

export function keptCommands(folder: string): StoreCommand[] {
  const file = join(folder, fileName)
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as StoreCommand[]) : []
}
