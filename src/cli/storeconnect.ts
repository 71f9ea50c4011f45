#!/usr/bin/env node
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { syncOrdersCommand } from './with-commands.js'
import { exitCodes, explanation, readArguments } from './sync-orders-arguments.js'

// Payload's own command line finds the store's config and loads it, TypeScript included. This command
// calls it under a name that is easier to remember.
const [command, ...given] = process.argv.slice(2)
const call = command === 'sync-orders' ? readArguments(given) : otherCall(command)
if (call === 'help') process.stdout.write(explanation(call))
else if ('wanted' in call) await runByPayload(given)
else refuse(explanation(call))

function otherCall(command: string | undefined): 'help' | { problem: string } {
  if (command === '--help' || command === '-h') return 'help'
  const problem = command === undefined ? 'Which command?' : `There is no command "${command}".`
  return { problem }
}

function refuse(text: string): void {
  process.stderr.write(text)
  process.exitCode = exitCodes.usage
}

async function runByPayload(given: readonly string[]): Promise<void> {
  const bin = payloadBin(process.cwd())
  if (bin === undefined) {
    refuse("Run this in the store's folder: there is no Payload here.\n")
    return
  }
  process.argv = [process.execPath, bin, syncOrdersCommand, ...given]
  await import(pathToFileURL(bin).href)
}

/** The command line of the Payload that is installed in this folder or in one above it. */
function payloadBin(folder: string): string | undefined {
  const bin = join(folder, 'node_modules/payload/bin.js')
  if (existsSync(bin)) return bin
  const above = dirname(folder)
  return above === folder ? undefined : payloadBin(above)
}
