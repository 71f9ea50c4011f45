import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Steps } from '../../../dev/console/steps.ts'
import { setUpDatabase } from '../../../dev/prepare.ts'

describe('A demo that starts again', () => {
  let dataDirectory: string
  let options: { dataDirectory: string; databaseUrl: string; origin: string; steps: Steps }
  let skipped: string[]

  beforeEach(() => {
    dataDirectory = mkdtempSync(path.join(os.tmpdir(), 'prepared-'))
    skipped = []
    options = {
      dataDirectory,
      databaseUrl: `file:${inData('store.db')}`,
      origin: 'http://127.0.0.1:3000',
      steps: {
        run: (name) => Promise.reject(new Error(`${name}: run`)),
        skip: (name) => void skipped.push(name),
      },
    }
    writeFileSync(inData('store.db'), '')
    writeFileSync(inData('set-up'), `${options.databaseUrl}\n${options.origin}\n`)
    date('set-up', Date.now() / 1000 + 3600)
  })
  afterEach(() => rmSync(dataDirectory, { recursive: true }))

  const inData = (name: string) => path.join(dataDirectory, name)
  const date = (name: string, seconds: number) => utimesSync(inData(name), seconds, seconds)

  it('leaves a database alone that it has set up for the same address', async () => {
    await setUpDatabase(options)
    expect(skipped).toEqual(['Set up the database'])
  })

  it.each([
    ['that it has set up for another address', () => (options.origin = 'http://127.0.0.1:3100')],
    ['that it has set up before the store was changed', () => date('set-up', 0)],
    ['that it has set up and that is gone', () => rmSync(inData('store.db'))],
    ['that it has not set up', () => rmSync(inData('set-up'))],
    ['of a server', () => (options.databaseUrl = 'postgres://127.0.0.1/shop')],
  ])('sets up a database %s', async (_, change) => {
    change()
    await expect(setUpDatabase(options)).rejects.toThrow('Set up the database: run')
    expect(skipped).toEqual([])
  })
})
