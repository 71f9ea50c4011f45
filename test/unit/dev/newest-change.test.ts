import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { newestChange } from '../../../dev/newest-change.ts'

let directory = ''
beforeEach(() => {
  directory = mkdtempSync(path.join(os.tmpdir(), 'changes-'))
})
afterEach(() => rmSync(directory, { recursive: true }))

function put(name: string, seconds: number) {
  const file = path.join(directory, name)
  mkdirSync(path.dirname(file), { recursive: true })
  writeFileSync(file, '')
  utimesSync(file, seconds, seconds)
}

it('finds the newest file at any depth', () => {
  put('a.ts', 1000)
  put('deep/down/b.ts', 2000)
  expect(newestChange([directory])).toBe(2_000_000)
})

it('passes over the names that do not count', () => {
  put('a.ts', 1000)
  put('.next/built.js', 9000)
  expect(newestChange([directory], ['.next'])).toBe(1_000_000)
})

it('is 0 when there is nothing', () => {
  expect(newestChange([path.join(directory, 'missing')])).toBe(0)
})
