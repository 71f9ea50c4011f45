import { beforeAll, describe, expect, it } from 'vitest'
import type { UserDocument, Visitor } from '../../../src/core/http/visit.js'
import { accountProfile } from '../../../src/marketing/accounts/account-profile.js'
import { partsOf } from '../../support/parts.js'
import { countStatements } from '../../support/count-statements.js'
import { sharedStore } from '../../support/shared-store.js'
import { openStore } from '../../support/store.js'

const profileOf = (fields: Record<string, unknown>) => {
  const user: UserDocument = { id: 7, collection: 'users', email: 'ada@shop.example', ...fields }
  return accountProfile(user, undefined, () => undefined)
}

const store = sharedStore('sqlite')

describe("A logged-in user's profile", () => {
  it.each([
    [
      { firstName: ' Ada ', lastName: 'King', phone: '+49 30 901820' },
      { firstName: 'Ada', lastName: 'King', phoneNumber: '+4930901820' },
    ],
    [
      { first_name: 'Ada', last_name: 'King' },
      { firstName: 'Ada', lastName: 'King' },
    ],
    [{ name: 'Ada King Lovelace' }, { firstName: 'Ada King', lastName: 'Lovelace' }],
    [{ name: 'Ada' }, { firstName: 'Ada' }],
    [{ name: 'Shop keeper', firstName: 'Ada' }, { firstName: 'Ada' }],
    [{ phoneNumber: '+4930901820' }, { phoneNumber: '+4930901820' }],
    [{ phone: '030 901820' }, {}],
    [{ firstName: ' ', lastName: null, phone: 7, roles: ['admin'] }, {}],
  ])('starts from email and id of the account, and reads %j', async (fields, expected) => {
    const own = { email: 'ada@shop.example', externalId: '7' }
    expect(await profileOf(fields)).toEqual({ ...own, ...expected })
  })
})

describe('Who is logged in', () => {
  let token: string
  const login = { email: 'ada@shop.example', password: 'difference engine' }

  beforeAll(async () => {
    await store.payload.create({ collection: 'users', data: login })
    token = (await store.payload.login({ collection: 'users', data: login })).token ?? ''
  })

  const visitorOf = (headers: Headers, { payload } = store) =>
    partsOf(payload).visitorOf({ url: 'https://shop.example/actions/x', headers })
  const profileOf = (visitor: Visitor | undefined, { payload } = store) =>
    visitor && partsOf(payload).profileOf(visitor)

  it('is known by the cookie of a page of the shop, and by an Authorization header', async () => {
    const cookie = `a=b; payload-token=${token}`
    const visitor = await visitorOf(new Headers({ cookie, origin: 'https://shop.example' }))
    expect(visitor?.collection).toBe('users')
    expect(await profileOf(visitor)).toMatchObject({ email: login.email })
    const headers = new Headers({ authorization: `JWT ${token}` })
    expect(await visitorOf(headers)).toMatchObject({ collection: 'users' })
  })

  it.each([
    ['a foreign page', { cookie: 'payload-token=TOKEN', origin: 'https://evil.example' }],
    ['a forged token', { authorization: 'JWT eyJhbGciOiJub25lIn0.e30.' }],
  ])('is nobody for %s', async (_, headers) => {
    const given = new Headers(headers)
    given.set('cookie', (given.get('cookie') ?? '').replace('TOKEN', token))
    expect(await visitorOf(given)).toBeUndefined()
  })

  it.each([{}, { cookie: 'storeconnect=x' }, { authorization: 'Basic c2hpcDpzaGlw' }])(
    'costs nothing to find out for %j',
    async (headers) => {
      const { statements, end } = countStatements(store.payload.db)
      expect(await visitorOf(new Headers(headers))).toBeUndefined()
      expect(statements()).toBe(0)
      end()
    },
  )

  it('is left to a strategy of the store, whatever that looks at', async () => {
    const user = { id: 9, collection: 'users' as const, email: 'badge@shop.example' }
    const authenticate = ({ headers }: { headers: Headers }) => ({
      user: headers.get('x-badge') === '9' ? user : null,
    })
    const mapUser = ({ email }: UserDocument) => ({
      email: email ?? '',
      properties: { Club: 'tea' },
    })
    const other = await openStore('sqlite', {
      userAuth: { strategies: [{ name: 'badge', authenticate }] },
      options: { marketing: { mapUser } },
    })
    const visitor = await visitorOf(new Headers({ 'x-badge': '9' }), other)
    expect(visitor).toMatchObject({ id: 9, collection: 'users' })
    expect(await profileOf(visitor, other)).toEqual({
      email: user.email,
      properties: { Club: 'tea' },
    })
    expect(await visitorOf(new Headers(), other)).toBeUndefined()
    await other.close()
  })
})
