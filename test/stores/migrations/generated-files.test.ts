import { execFile } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const run = promisify(execFile)
const checkout = join(import.meta.dirname, '../../..')

describe("The demo store's generated files", () => {
  const copy = mkdtempSync(join(tmpdir(), 'storeconnect-generated-'))

  beforeAll(async () => {
    for (const path of [
      'dev',
      'package.json',
      'src',
      'tsconfig.base.json',
      'tsconfig.build.json',
    ]) {
      cpSync(join(checkout, path), join(copy, path), { recursive: true, filter: isSource })
    }
    symlinkSync(join(checkout, 'node_modules'), join(copy, 'node_modules'))
    await run('npm', ['run', 'build'], { cwd: copy })
    await run('npm', ['run', 'generate'], { cwd: copy })
  })
  afterAll(() => rmSync(copy, { recursive: true }))

  it.each([
    ['types', 'dev/payload-types.ts'],
    ['import map', 'dev/app/(payload)/admin/importMap.js'],
  ])(
    'hold the %s of the schema and the admin as they are: `npm run generate` changes nothing',
    (_, path) => {
      expect(readFileSync(join(copy, path), 'utf8')).toBe(
        readFileSync(join(checkout, path), 'utf8'),
      )
    },
  )
})

/** Not what a build or a start of the store has left. */
const isSource = (path: string) => !/[\\/](\.next|\.data)([\\/]|$)/.test(path)
