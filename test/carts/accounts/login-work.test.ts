import crypto from 'node:crypto'
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { sharedStore } from '../../support/shared-store.js'
import { anyKind } from '../../support/store.js'

const password = 'green tea'

/** As Payload hashed passwords before; its login still knows them. */
const oldHash = (salt: string) =>
  crypto.pbkdf2Sync(password, salt, 25_000, 512, 'sha256').toString('hex')

describe('A login that is refused', () => {
  const store = sharedStore(anyKind)
  beforeAll(async () => {
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

  /** Logs in, and tells the rounds of hashing that it cost. */
  async function logIn(name: string, tried: string) {
    const browser = store.aBrowser()
    const fields = { email: `${name}@shop.example`, password: tried }
    const post = () => browser.post('/actions/users/login', fields, { ajax: true })
    const { answer, rounds } = await counted(post)
    return { status: answer.status, rounds }
  }

  async function counted<Answer>(work: () => Promise<Answer>) {
    const pbkdf2 = vi.spyOn(crypto, 'pbkdf2')
    const answer = await work()
    const rounds = pbkdf2.mock.calls.reduce(
      (sum, [, , iterations, bytes]) => sum + iterations * Math.ceil(bytes / 32),
      0,
    )
    pbkdf2.mockRestore()
    return { answer, rounds }
  }

  it.each([
    ['a wrong password', 'known', 'black tea', 401],
    ['an account that is not there', 'nobody', 'black tea', 401],
    ['a locked account', 'locked', 'black tea', 401],
    ['the right password of a locked account', 'locked', password, 401],
    ['an account whose hash is older', 'old', 'black tea', 401],
    ['an account without a password', 'single-sign-on', 'black tea', 401],
    ['an account that is there, in other letters', ' KNOWN', 'black tea', 401],
  ])('costs the same work for %s', async (...[, name, tried, status]) => {
    expect(await logIn(name, tried)).toMatchObject({ status, rounds: 600_000 })
  })

  it('costs for a login that succeeds what Payload spends', async () => {
    const data = { email: 'known@shop.example', password }
    const { rounds } = await counted(() => store.payload.login({ collection: 'users', data }))
    expect(await logIn('known', password)).toEqual({ status: 200, rounds })
    // Payload 4 still has the hash of before, which costs less.
    expect([600_000, 400_000]).toContain(rounds)
  })

  it('costs no work for anybody without a password or a name', async () => {
    expect(await logIn('known', ' ')).toMatchObject({ status: 401, rounds: 0 })
    expect(await logIn('nobody', '')).toMatchObject({ status: 401, rounds: 0 })
  })
})
