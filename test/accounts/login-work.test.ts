import crypto from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { anyKind, openStore, type TestStore } from '../support/store.js'

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
    const browser = store.aBrowser()
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
    ['a wrong password', 'known', 'black tea', 401],
    ['an account that is not there', 'nobody', 'black tea', 401],
    ['a locked account', 'locked', 'black tea', 401],
    ['the right password of a locked account', 'locked', password, 401],
    ['an account whose hash is older', 'old', 'black tea', 401],
    ['an account without a password', 'single-sign-on', 'black tea', 401],
    ['an account that is there, in other letters', ' KNOWN', 'black tea', 401],
    ['a login that succeeds, as Payload spends', 'known', password, 200],
  ])('costs the same work for %s', async (...[, name, tried, status]) => {
    expect(await logIn(name, tried)).toMatchObject({ status, rounds: 600_000 })
  })

  it('costs no work for anybody without a password or a name', async () => {
    expect(await logIn('known', ' ')).toMatchObject({ status: 401, rounds: 0 })
    expect(await logIn('nobody', '')).toMatchObject({ status: 401, rounds: 0 })
  })
})
