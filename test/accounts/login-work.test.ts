import crypto from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { anyKind, openStore, type TestStore } from '../support/store.js'
import { openVisitorBrowser } from '../support/visitor-browser.js'

const password = 'green tea'

/** As Payload hashed passwords before; its login still knows them. */
const oldHash = (salt: string) =>
  crypto.pbkdf2Sync(password, salt, 25_000, 512, 'sha256').toString('hex')

describe('A login that is refused', () => {
  let store: TestStore
  beforeAll(async () => {
    store = await openStore(anyKind)
    const { payload } = store
    for (const name of ['known', 'locked', 'old', 'single-sign-on']) {
      const data = { email: `${name}@shop.example`, password }
      await payload.create({ collection: 'users', data })
    }
    const change = (name: string, data: Record<string, unknown>) =>
      payload.db.updateOne({
        collection: 'users',
        where: { email: { equals: `${name}@shop.example` } },
        data,
      })
    await change('locked', { lockUntil: new Date(Date.now() + 600_000).toISOString() })
    await change('old', { hash: oldHash('a salt'), salt: 'a salt' })
    await change('single-sign-on', { hash: null, salt: null })
  })
  afterEach(() => {
    vi.restoreAllMocks()
  })
  afterAll(() => store.close())

  /** Logs in, and tells the rounds of hashing that it cost. */
  async function logIn(name: string, tried: string) {
    const pbkdf2 = vi.spyOn(crypto, 'pbkdf2')
    const browser = openVisitorBrowser(store.handle)
    const fields = { email: `${name}@shop.example`, password: tried }
    const { status } = await browser.post('/actions/users/login', fields, { ajax: true })
    const rounds = pbkdf2.mock.calls.reduce(
      (sum, [, , iterations, bytes]) => sum + iterations * Math.ceil(bytes / 32),
      0,
    )
    pbkdf2.mockRestore()
    return { status, rounds }
  }

  it.each([
    ['a wrong password', 'known'],
    ['an account that is not there', 'nobody'],
    ['a locked account', 'locked'],
    ['an account whose hash is older', 'old'],
    ['an account without a password', 'single-sign-on'],
    ['an account that is there, in other letters', ' KNOWN'],
  ])('costs the same work for %s', async (_what, name) => {
    expect(await logIn(name, 'black tea')).toMatchObject({ status: 401, rounds: 600_000 })
  })

  it('costs the same work for the right password of a locked account', async () => {
    expect(await logIn('locked', password)).toMatchObject({ status: 401, rounds: 600_000 })
  })

  it('costs what Payload spends on a login that succeeds', async () => {
    expect(await logIn('known', password)).toMatchObject({ status: 200, rounds: 600_000 })
  })

  it('costs no work for anybody without a password or a name', async () => {
    expect(await logIn('known', ' ')).toMatchObject({ status: 401, rounds: 0 })
    expect(await logIn('nobody', '')).toMatchObject({ status: 401, rounds: 0 })
  })
})
