import { describe, expect, it } from 'vitest'
import type { MarketingOptions } from '../../../src/plugin/options.js'
import type { IsAdmin } from '../../../src/core/payload/admin-access.js'
import { anyKind } from '../../support/store.js'
import { openEventShop, type EventShop } from './event-shop.js'

describe('A user account that is saved', () => {
  const open = (marketing: MarketingOptions = {}) =>
    openEventShop(anyKind, { options: { marketing } })
  const create = ({ payload }: EventShop, data: Record<string, unknown> = {}, context = {}) =>
    payload.create({
      collection: 'users',
      data: { email: 'ada@example.com', password: 'correct horse battery', ...data },
      context,
    })
  const profiles = async (of: EventShop) =>
    (await of.reported()).map(({ message }) => ({ kind: message.kind, ...message.profile }))

  it('updates its profile, with its id, and again only when that has changed', async () => {
    const store = await open()
    const { id } = await create(store)
    expect(await profiles(store)).toEqual([
      { kind: 'identify', email: 'ada@example.com', externalId: String(id) },
    ])
    await store.update('users', id, { roles: ['customer'] })
    await store.update('users', id, { password: 'another horse battery' })
    expect(await profiles(store)).toHaveLength(1)
    await store.update('users', id, { email: 'countess@example.com' })
    expect(await profiles(store)).toMatchObject([{}, { email: 'countess@example.com' }])
    await store.loseSends()
    await create(store, { email: 'imported@example.com' }, { storeconnect: 'import' })
    expect(await profiles(store)).toEqual([])
    // An admin is no customer.
    const admin = await create(store, { roles: ['admin'] })
    await store.update('users', admin.id, { email: 'staff@example.com' })
    await create(store, { email: 'grace@example.com', roles: ['customer'] })
    expect(await profiles(store)).toMatchObject([{ email: 'grace@example.com' }])
  })

  it('is sent as the store maps it, or not at all', async () => {
    const store = await open({
      mapUser: ({ email, roles }) =>
        (roles as string[] | undefined)?.includes('customer') && email
          ? { email, properties: { Club: 'Tea' } }
          : undefined,
    })
    await create(store)
    await create(store, { email: 'grace@example.com', roles: ['customer'] })
    expect(await profiles(store)).toEqual([
      { kind: 'identify', email: 'grace@example.com', properties: { Club: 'Tea' } },
    ])
  })

  it('is sent only for the roles that the store names', async () => {
    const store = await open({ accountRoles: ['customer'] })
    await create(store, { roles: ['admin'] })
    await create(store, { email: 'grace@example.com', roles: ['customer'] })
    expect(await profiles(store)).toMatchObject([{ email: 'grace@example.com' }])
  })

  it("is not sent when it is an admin by the store's own rule, whatever its roles say", async () => {
    const isAdmin: IsAdmin = ({ req }) => req.user?.email?.endsWith('@staff.example') === true
    const store = await openEventShop(anyKind, { options: { isAdmin } })
    for (const [email, role] of [
      ['ada@staff.example', 'customer'],
      ['grace@example.com', 'admin'],
    ] as const) {
      await create(store, { email, roles: [role] })
    }
    expect(await profiles(store)).toMatchObject([{ email: 'grace@example.com' }])
  })

  it('is not sent while that is switched off', async () => {
    const store = await open({ settings: { accountUpdates: false } })
    await create(store)
    expect(await profiles(store)).toEqual([])
  })
})
