import { describe, expect, it } from 'vitest'
import { anyKind } from '../../support/store.js'
import { consentStore, followConsents, leave } from './consent-shop.js'

const victim = 'victim@example.com'
const ada = 'ada@example.com'
const password = 'correct horse battery'

describe('Where customers verify their emails', () => {
  const told: Record<'email' | 'customerId' | 'status', unknown>[] = []
  const shop = consentStore(
    anyKind,
    {
      onConsentChange: ({ email, customerId, status }) =>
        void told.push({ email, customerId, status }),
    },
    { userAuth: { verify: true } },
  )

  const customer = (email: string) =>
    shop.payload.create({
      collection: 'users',
      data: { email, password, roles: ['customer'], _verified: true },
      disableVerificationEmail: true,
    })
  const changeEmail = async (id: number | string, { from, to }: Record<'from' | 'to', string>) => {
    const data = { email: from, password }
    const { token } = await shop.payload.login({ collection: 'users', data })
    const answer = await shop.api(
      new Request(`https://shop.example/api/users/${id}`, {
        method: 'PATCH',
        headers: { authorization: `JWT ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ email: to }),
      }),
    )
    expect(answer.status, await answer.clone().text()).toBe(200)
  }

  it('nobody is shown the consent of whose address they took', async () => {
    const from = 'mallory@example.com'
    const { id } = await customer(from)
    const other = await customer(ada)
    await changeEmail(id, { from, to: victim })
    await leave(shop, victim, ada)
    await followConsents(shop)
    const read = (of: number | string) => shop.payload.findByID({ collection: 'users', id: of })
    expect(await read(id)).toMatchObject({ email: victim, emailConsent: { status: 'never' } })
    expect(await read(other.id)).toMatchObject({ emailConsent: { status: 'unsubscribed' } })
    const status = 'unsubscribed'
    expect(told).toContainEqual({ email: victim, customerId: undefined, status })
    expect(told).toContainEqual({ email: ada, customerId: other.id, status })
    expect(told.filter(({ customerId }) => customerId === id)).toEqual([])
  })
})
