import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Dialog } from './dialog.js'
import { LeftByHand } from './installer-problem.js'
import { keepCommands } from './kept-commands.js'
import { mendedAddition } from './mended-addition.js'
import { mendedRemoval, type MigratedDatabase } from './mended-removal.js'
import {
  newestSchema,
  readMigrations,
  withdrawMigration,
  writtenSince,
  type Migrations,
} from './migrations.js'
import { lineOf, runStoreCommand, type StoreCommand } from './store-commands.js'

/**
 * Runs them one after the other. Those that have not succeeded are kept for the next command of the installer.
 *
 * @throws {InstallerProblem} when one fails, or leaves something to a person.
 */
export async function runCommands(
  folder: string,
  commands: readonly StoreCommand[],
  dialog: Dialog,
): Promise<void> {
  for (const [index, command] of commands.entries()) {
    keepCommands(folder, commands.slice(index))
    const before = readMigrations(folder, command.migrations)
    await runCommand(folder, command, dialog)
    keepCommands(folder, commands.slice(index + 1))
    if (command.dropsOn !== undefined) mendRemoval(before, command.dropsOn, dialog)
    if (command.addsOn === 'sqlite') mendAddition(before)
  }
}

/** Unseen at first, as most ask nothing. */
async function runCommand(folder: string, command: StoreCommand, dialog: Dialog): Promise<void> {
  const line = lineOf(command)
  const outcome = await dialog.during(`${command.title}: ${line}`, () =>
    runStoreCommand(folder, command, 'unseen'),
  )
  if (outcome !== 'asks') return
  if (!dialog.hasPerson) {
    throw new LeftByHand(
      `${line} asks what is new and what was renamed, which nobody can answer here.
In a terminal, repeat what you ran, with --yes if you like: it goes on with this command, and you answer.`,
    )
  }
  dialog.say(
    'Payload asks what is new and what was renamed: answer each question with “create”, unless docs/upgrading.md names a rename.',
  )
  await runStoreCommand(folder, command, 'in the terminal')
}

function mendAddition(before: Migrations): void {
  const schema = newestSchema(before)
  if (schema === undefined) return
  for (const path of writtenSince(before)) {
    const file = join(before.store, path)
    writeFileSync(file, mendedAddition(readFileSync(file, 'utf8'), schema))
  }
}

function mendRemoval(before: Migrations, database: MigratedDatabase, dialog: Dialog): void {
  for (const path of writtenSince(before)) {
    const file = join(before.store, path)
    const mended = mendedRemoval(database, readFileSync(file, 'utf8'))
    if (mended === undefined) {
      withdrawMigration(before, path)
      throw new LeftByHand(
        `Payload has written a migration of another form than this version knows. It might lose orders, so it is deleted again.
Write it yourself, as "Drop what is stored" in docs/upgrading.md says.`,
      )
    }
    writeFileSync(file, mended)
    dialog.say(
      `${path} drops what Storeconnect has stored, as soon as it runs. Back up the database, and read "Drop what is stored" in docs/upgrading.md before.`,
    )
  }
}
