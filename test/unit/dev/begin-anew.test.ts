import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { beginAnew } from '../../../dev/begin-anew.ts'

const dataDirectory = '/shop/dev/.data'

describe('To begin anew, the demo', () => {
  it('names its data directory, which holds its SQLite file', () => {
    const databaseUrl = 'file:/shop/dev/.data/store.db'
    expect(beginAnew({ dataDirectory, databaseUrl })).toBe('rm -r /shop/dev/.data')
  })

  it('names a SQLite file elsewhere by itself, never the folder around it', () => {
    expect(beginAnew({ dataDirectory, databaseUrl: 'file:mine.db' })).toBe(
      `rm -r /shop/dev/.data ${path.resolve('mine.db')}`,
    )
  })

  it('says that a PostgreSQL database has to be emptied', () => {
    const databaseUrl = 'postgres://someone:secret@127.0.0.1/shop'
    const text = beginAnew({ dataDirectory, databaseUrl })
    expect(text).toMatch(/^rm -r \/shop\/dev\/\.data .*empty the PostgreSQL database/)
    expect(text).not.toContain('secret')
  })
})
