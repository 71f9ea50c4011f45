import { randomUUID } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { getPayload } from 'payload'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { handlerOf } from '../../src/core/installation.js'
import { documentSnippets } from '../package/document-snippets.js'
import { captureLog } from '../support/captured-log.js'
import { closeInstance } from '../support/close-instance.js'
import { emptyDatabase, storeDatabase } from '../support/own-database.js'
import { pushSchema } from '../support/push-schema.js'
import { documentedConfig, importStore } from './documented-config.js'

const checkout = join(import.meta.dirname, '../..')

const errorLevel = 50

/** The files of the documents in which a developer sets options. */
const files = [...documentSnippets()].filter(([, text]) =>
  /storeConnect\(|plugins\['payload-storeconnect'\]/.test(text),
)

describe('A store with the options of', () => {
  const directory = mkdtempSync(join(tmpdir(), 'storeconnect-documents-'))

  beforeAll(() => {
    symlinkSync(join(checkout, 'node_modules'), join(directory, 'node_modules'))
    const entry = JSON.stringify(join(checkout, 'src/index.ts'))
    for (const [path, text] of files) {
      mkdirSync(dirname(join(directory, path)), { recursive: true })
      writeFileSync(join(directory, path), text.replace("'payload-storeconnect'", entry))
    }
  })
  afterAll(() => rmSync(directory, { recursive: true }))

  it.each(files.map(([path]) => path))('%s starts, and answers', async (path) => {
    const file = join(directory, path)
    const store = await importStore(file)
    const { collections, fields, marketing } = store.options
    const hasReviews = typeof marketing === 'object' && marketing.reviews !== undefined
    const isOfItsOwnShape = collections !== undefined || fields !== undefined || hasReviews
    const database = await (isOfItsOwnShape ? emptyDatabase('sqlite') : storeDatabase('sqlite'))
    const log = captureLog()
    const config = await documentedConfig(store, { url: database.url, config: log.config })
    if (isOfItsOwnShape) await pushSchema(config)
    const payload = await getPayload({ config, key: randomUUID() })
    const request = new Request('https://shop.example/actions/users/session-info')
    const { status } = await handlerOf(payload)(request)
    await closeInstance(payload)
    await database.remove()
    const errors = log.lines().flatMap(({ level, msg }) => (level < errorLevel ? [] : [msg]))
    expect({ status, errors }).toEqual({
      status: store.options.enabled === false ? 404 : 200,
      errors: [],
    })
  })
})
