import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  applyEnvironment,
  originOf,
  readEnvironment,
  type Variables,
} from '../../../dev/environment.ts'

describe('the environment of the demo store', () => {
  it('has a default for everything', () => {
    const { databaseUrl, dataDirectory, host, origin, port } = readEnvironment({})
    expect({ host, origin, port }).toEqual({
      host: '127.0.0.1',
      origin: 'http://127.0.0.1:3000',
      port: 3000,
    })
    expect(dataDirectory).toMatch(/dev[/\\]\.data$/)
    expect(databaseUrl).toBe(`file:${path.join(dataDirectory, 'store.db')}`)
  })

  it('follows the variables that are set', () => {
    const environment = readEnvironment({
      DATABASE_URL: 'postgres://localhost/store',
      HOST: '0.0.0.0',
      PORT: '4000',
      STORE_DATA_DIR: '/srv/data',
    })
    expect(environment).toEqual({
      databaseUrl: 'postgres://localhost/store',
      dataDirectory: path.resolve('/srv/data'),
      host: '0.0.0.0',
      origin: 'http://127.0.0.1:4000',
      port: 4000,
    })
  })

  it.each(['web', '-1', '65536', '3000.5'])('refuses %s as a port', (port) => {
    expect(() => readEnvironment({ PORT: port })).toThrow(TypeError)
  })

  it('writes an IPv6 host in brackets', () => {
    expect(originOf('::1', 3000)).toBe('http://[::1]:3000')
    expect(originOf('::', 3000)).toBe('http://127.0.0.1:3000')
  })
})

describe('the secret of the demo store', () => {
  let directory = ''
  beforeEach(() => {
    directory = mkdtempSync(path.join(os.tmpdir(), 'store-'))
  })
  afterEach(() => rmSync(directory, { recursive: true }))

  const secretOf = (env: Variables) => {
    applyEnvironment(env)
    return env.PAYLOAD_SECRET
  }

  it('is made once and kept beside the data, readable by its owner only', () => {
    const first = secretOf({ STORE_DATA_DIR: directory })
    expect(first).toMatch(/^[0-9a-f]{64}$/)
    expect(secretOf({ STORE_DATA_DIR: directory })).toBe(first)
    const file = path.join(directory, 'secret')
    expect(readFileSync(file, 'utf8')).toBe(first)
    expect(statSync(file).mode & 0o077).toBe(0)
  })

  it('gives way to a secret that is set', () => {
    expect(secretOf({ PAYLOAD_SECRET: 'mine', STORE_DATA_DIR: directory })).toBe('mine')
  })
})
