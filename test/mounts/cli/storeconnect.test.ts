import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, expect, it } from 'vitest'

let folder = ''
afterEach(() => rmSync(folder, { recursive: true, force: true }))

it('says that nothing was done when the config of the store does not finish loading', () => {
  folder = mkdtempSync(join(tmpdir(), 'storeconnect-cli-'))
  const bin = join(folder, 'node_modules/payload/bin.js')
  mkdirSync(dirname(bin), { recursive: true })
  // Node ends with 0 when nothing is left to do.
  writeFileSync(bin, 'void new Promise(() => {})\n')
  const command = join(import.meta.dirname, '../../../src/mounts/cli/storeconnect.ts')
  const given = ['--import', import.meta.resolve('tsx'), command, 'try']
  const { status, stderr } = spawnSync(process.execPath, given, { cwd: folder, encoding: 'utf8' })
  expect([status, stderr]).toEqual([
    75,
    "The store's config did not finish loading. Run the command again.\n",
  ])
})
