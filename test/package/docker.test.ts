import { validate } from 'dockerfile-utils'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { composeFile, dockerfile } from './docker.js'

it('The Dockerfile of the documents has no mistake that can be seen without building it', () => {
  expect(validate(dockerfile())).toEqual([])
})

it('Neither has the compose file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'storeconnect-compose-'))
  try {
    writeFileSync(join(folder, 'compose.yaml'), composeFile())
    const found = execFileSync('npx', ['dclint', '--max-warnings', '0', folder], { stdio: 'pipe' })
    expect(found.toString().trim()).toBe('')
  } finally {
    rmSync(folder, { recursive: true })
  }
})
