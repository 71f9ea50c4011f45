import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import type { Dialog } from '../../../src/installer/dialog.js'
import { LeftByHand } from '../../../src/installer/installer-problem.js'
import { keptCommands } from '../../../src/installer/kept-commands.js'
import { runCommands } from '../../../src/installer/run-commands.js'
import type { StoreCommand } from '../../../src/installer/store-commands.js'

const dialog: Dialog = {
  say: () => undefined,
  confirm: () => Promise.resolve(true),
  choose: () => Promise.resolve('both'),
  during: (_, work) => work(),
  hasPerson: false,
}

it('takes back a migration of a removal that it cannot mend, and leaves it to a person', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'storeconnect-shop-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const migrations = join(folder, 'migrations')
  mkdirSync(migrations)
  const before = {
    '1_shop.ts': 'export const up = 1\n',
    'index.ts': 'export const migrations = [1]\n',
  }
  for (const [name, text] of Object.entries(before)) writeFileSync(join(migrations, name), text)

  const write = `const { writeFileSync } = require('node:fs')
for (const name of ['2_without.ts', '2_without.json', 'index.ts'])
  writeFileSync('migrations/' + name, 'DROP TABLE "orders"')
console.log('written')`
  const command: StoreCommand = {
    title: 'Make a migration',
    command: process.execPath,
    parameters: ['--eval', write],
    says: 'written',
    migrations: 'migrations',
    dropsOn: 'sqlite',
  }
  await expect(runCommands(folder, [command], dialog)).rejects.toThrow(LeftByHand)
  const after = readdirSync(migrations).map((name) => [
    name,
    readFileSync(join(migrations, name), 'utf8'),
  ])
  expect(Object.fromEntries(after)).toEqual(before)
  expect(keptCommands(folder)).toEqual([])
})
