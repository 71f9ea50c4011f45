#!/usr/bin/env node
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import {
  exitCodes,
  explained,
  readEraseArguments,
  readSyncOrdersArguments,
  type Explanation,
} from './arguments.js'
import { readTryArguments } from './try-arguments.js'

// Payload's own command line finds the store's config and loads it, TypeScript included. This command
// calls it under a name that is easier to remember.
const commands = `Usage: storeconnect sync-orders  sends past orders to Klaviyo
       storeconnect erase        erases a person
       storeconnect try          plays ShipStation and Klaviyo for a shop without accounts
       storeconnect init         connects this store: makes the changes that it needs
       storeconnect doctor       says what is missing, and what Klaviyo's key lacks
       storeconnect upgrade      installs this version
       storeconnect remove       takes the changes out again
       storeconnect --version

Each has --help.
`
const ofInstaller = ['init', 'doctor', 'remove', 'upgrade'] as const

const [command, ...given] = process.argv.slice(2)
const installing = ofInstaller.find((name) => name === command)
if (installing !== undefined) {
  const { runInTerminal } = await import('../../installer/terminal.js')
  await runInTerminal(installing, given)
  if (installing === 'doctor' && process.exitCode === exitCodes.done)
    testKey(payloadBin(process.cwd()))
} else if (command === '--version') {
  const { ownPackage } = await import('../../installer/own-package.js')
  process.stdout.write(`${ownPackage().version}\n`)
} else if (command === 'sync-orders') {
  const call = readSyncOrdersArguments(given)
  if ('wanted' in call) await runByPayload('storeconnect:sync-orders', given)
  else explain(call)
} else if (command === 'erase') {
  const call = readEraseArguments(given)
  if ('wanted' in call) await runByPayload('storeconnect:erase', given)
  else explain(call)
} else if (command === 'try') {
  const call = readTryArguments(given)
  if ('wanted' in call) await runByPayload('storeconnect:try', given)
  else explain(call)
} else if (command === '--help' || command === '-h') {
  explain(explained(commands))
} else {
  const problem = command === undefined ? 'Which command?' : `There is no command "${command}".`
  explain(explained(commands, problem))
}

/** Shows how to call it: as what was asked for, or as the answer to a wrong call. */
function explain({ text, exitCode }: Explanation): void {
  if (exitCode === exitCodes.done) process.stdout.write(text)
  else refuse(text)
}

function refuse(text: string): void {
  process.stderr.write(text)
  process.exitCode = exitCodes.usage
}

async function runByPayload(name: string, given: readonly string[]): Promise<void> {
  const bin = payloadBin(process.cwd())
  if (bin === undefined) {
    refuse("Run this in the store's folder: there is no Payload here.\n")
    return
  }
  // On Node 20 the store's config sometimes never finishes loading, and Node ends as if all was done.
  process.once('beforeExit', () => {
    process.stderr.write("The store's config did not finish loading. Run the command again.\n")
    process.exitCode = exitCodes.again
  })
  process.argv = [process.execPath, bin, name, ...given]
  await import(pathToFileURL(bin).href)
}

/** Says what Klaviyo's key lacks. Without the database of the shop nobody knows, and the steps are in place all the same. */
function testKey(bin: string | undefined): void {
  if (bin === undefined) return
  const { status } = spawnSync(process.execPath, [bin, 'storeconnect:doctor'], { stdio: 'inherit' })
  if (status === exitCodes.failed) process.stdout.write("Klaviyo's key was not tested.\n")
  if (status === exitCodes.open) process.exitCode = status
}

/** The command line of the Payload that is installed in this folder or in one above it. */
function payloadBin(folder: string): string | undefined {
  const bin = join(folder, 'node_modules/payload/bin.js')
  if (existsSync(bin)) return bin
  const above = dirname(folder)
  return above === folder ? undefined : payloadBin(above)
}
