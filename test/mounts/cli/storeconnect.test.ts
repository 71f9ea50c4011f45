import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { install, shopFolder } from '../../unit/installer/shop-folder.js'

/** Runs a command in a folder whose Payload is this script. */
function storeconnect(name: string, folder: string, payload: string) {
  const bin = join(folder, 'node_modules/payload/bin.js')
  mkdirSync(dirname(bin), { recursive: true })
  writeFileSync(bin, payload)
  const command = join(import.meta.dirname, '../../../src/mounts/cli/storeconnect.ts')
  const given = ['--import', import.meta.resolve('tsx'), command, name]
  return spawnSync(process.execPath, given, { cwd: folder, encoding: 'utf8' })
}

it('says that nothing was done when the config of the store does not finish loading', () => {
  const folder = mkdtempSync(join(tmpdir(), 'storeconnect-cli-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  // Node ends with 0 when nothing is left to do.
  const { status, stderr } = storeconnect('try', folder, 'void new Promise(() => {})\n')
  expect([status, stderr]).toEqual([
    75,
    "The store's config did not finish loading. Run the command again.\n",
  ])
})

it('tests the key as a part of doctor, which works without a database too', async () => {
  const folder = shopFolder()
  await install(folder, 'init')
  const doctor = (code: number) => {
    const script = `process.stdout.write(process.argv[2] + "\\n")\nprocess.exitCode = ${code}\n`
    const { status, stdout } = storeconnect('doctor', folder, script)
    return [status, stdout.split('Everything is in place.\n')[1]]
  }
  expect(doctor(0)).toEqual([0, 'storeconnect:doctor\n'])
  expect(doctor(2)).toEqual([2, 'storeconnect:doctor\n'])
  expect(doctor(1)).toEqual([0, "storeconnect:doctor\nKlaviyo's key was not tested.\n"])
})
