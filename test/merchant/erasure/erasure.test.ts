import { createLocalReq } from 'payload'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { StoreConnectOptions } from '../../../src/plugin/options.js'
import { catchUpFeeds } from '../../support/catch-up-feeds.js'
import { anAddress, anOrder, saveOrder } from '../../support/orders.js'
import { exportRequest } from '../../support/shipping-requests.js'
import { openUuidStore } from '../../stores/uuid-store.js'
import { itOnceOn } from '../../support/it-once.js'
import { databaseKinds } from '../../support/store.js'
import { adalgisa, grace, holdCalls, openErasureShop, type ErasureShop } from './erasure-shop.js'

const anonymising: StoreConnectOptions = { erasure: { orders: 'anonymise' } }

describe.each(databaseKinds)('An erased person (%s)', (kind) => {
  const itOnce = itOnceOn(kind)
  let shop: ErasureShop
  afterEach(() => shop.close())

  const outboxOf = () => shop.parts.outbox
  const identify = (email: string, key: string) => ({
    key,
    message: { kind: 'identify', profile: { email } } as const,
    acceptedAt: new Date(shop.now()),
  })
  const profileOf = (email: string) => shop.standIn.state.profileByEmail(email)
  const sends = async () => {
    const { docs } = await shop.payload.find({ collection: 'marketing-sends', pagination: false })
    return docs as unknown as { key: string; kind: string; profile: string; state: string }[]
  }
  /** The keys of the sends that are left after the delivery has run. */
  const afterRound = async () => {
    await shop.round()
    return (await sends()).map(({ key }) => key)
  }
  const eraseByAdmin = (body: Record<string, unknown>) =>
    shop.post('/marketing-erasures/erase', { email: adalgisa.email, ...body })
  const names = Object.values(adalgisa)
  const everything = (id: number | string) => [...names, String(id)]
  const doors: [string, (id: number | string) => Promise<unknown>][] = [
    ['the deletion of the account', (id) => shop.remove(id)],
    ['an admin', () => eraseByAdmin({ orders: 'anonymise' })],
  ]

  it('does not come back with a form that an admin had loaded before', async () => {
    shop = await openErasureShop(kind, anonymising)
    const { order, guestOrder } = await shop.signUp()
    const paths = [order, guestOrder].map(({ id }) => `/orders/${id}?depth=0`)
    const forms = await Promise.all(
      paths.map(async (path) => (await (await shop.get(path)).json()) as object),
    )
    expect((await eraseByAdmin({ orders: 'anonymise' })).status).toBe(201)
    for (const [index, path] of paths.entries()) {
      const saved = await shop.patch(path, { ...forms[index], status: 'cancelled' })
      expect(saved.status).toBe(200)
    }
    await shop.finish()
    expect(await shop.search(names)).toEqual([])
  })

  describe('whose id is a UUID', () => {
    beforeEach(async () => {
      shop = await openErasureShop(kind, anonymising, { open: openUuidStore })
    })

    it.each(doors)(
      'is found nowhere after %s: in no table, no log, and not at Klaviyo',
      async (_, erase) => {
        const { id } = await shop.signUp()
        await outboxOf().store([identify(grace, 'of another')])
        await shop.round()
        await expect.poll(() => profileOf(adalgisa.email)?.attributes.first_name).toBe('Adalgisa')
        await outboxOf().store([identify(adalgisa.email, 'waits')])
        for (const table of [
          'users',
          'orders',
          'addresses',
          'carts',
          'transactions',
          'marketing_sends',
          'shipping_notices',
        ]) {
          expect(await shop.search(everything(id))).toContain(table)
        }

        await erase(id)
        // Only what asks Klaviyo still names the person.
        expect((await shop.search(everything(id))).sort()).toEqual([
          'marketing_erasures',
          'marketing_sends',
        ])
        expect((await sends()).filter(({ profile }) => profile.includes('quux'))).toMatchObject([
          { kind: 'erase', state: 'queued' },
        ])
        await shop.finish()
        expect(await shop.search(everything(id))).toEqual([])
        expect(profileOf(adalgisa.email)).toBeUndefined()
        expect(profileOf(grace)).toBeDefined()
        expect(await shop.erasures()).toMatchObject([
          {
            state: 'done',
            klaviyo: 'accepted',
            orders: 'anonymise',
            orderCount: 2,
            addressCount: 1,
          },
        ])
      },
    )
  })

  it('keeps orders and payments as they are by default, and nothing else', async () => {
    shop = await openErasureShop(kind)
    const { id, order } = await shop.signUp()
    const { db } = shop.payload
    const consentEmail = adalgisa.email.toLowerCase()
    await db.updateOne({ collection: 'orders', id: order.id, data: { consentEmail } })
    await shop.remove(id)
    await shop.finish()
    expect((await shop.search(names)).sort()).toEqual(['orders', 'transactions'])
    const where = { id: { equals: order.id } }
    expect(await db.findOne({ collection: 'orders', where })).toMatchObject({ consentEmail: null })
  })

  itOnce('is in nothing that a kept order and a kept payment were before', async () => {
    for (const versions of [true, { drafts: true }]) {
      const own = { orders: { fields: [], versions }, versions: { transactions: versions } }
      shop = await openErasureShop(kind, {}, { ...own, open: openUuidStore })
      const { id, order } = await shop.signUp()
      shop.move(1_000)
      await shop.patch(`/orders/${order.id}`, { internalNotes: 'Call first' })
      await shop.remove(id)
      await shop.finish()
      const hasDrafts = versions !== true
      expect((await shop.search(names)).sort()).toEqual([
        ...(hasDrafts ? ['_orders_v', '_transactions_v'] : []),
        ...['orders', 'transactions'],
      ])
      // The form of a draft goes on from its newest version.
      const left = await shop.payload.findVersions({
        collection: 'orders',
        where: { parent: { equals: order.id } },
      })
      expect(left.docs).toMatchObject(hasDrafts ? [{ latest: true }] : [])
      if (!hasDrafts) await shop.close()
    }
  })

  it('comes into no event of a kept order that changes later, and into no later history', async () => {
    shop = await openErasureShop(kind)
    const { id, order, guestOrder } = await shop.signUp()
    await shop.round()
    await shop.remove(id)
    await shop.finish()
    for (const each of [order, guestOrder]) {
      await shop.payload.update({
        collection: 'orders',
        id: each.id,
        data: { status: 'completed' },
      })
    }
    const { histories } = shop.parts
    const day = (ms: number) => new Date(Date.now() + ms).toISOString().slice(0, 10)
    await histories.start({ from: '2025-01-01', to: day(86_400_000) }, { startedBy: undefined })
    await catchUpFeeds(shop.payload)
    await shop.round()
    expect((await sends()).filter(({ profile }) => profile.includes('quux'))).toEqual([])
    expect(profileOf(adalgisa.email)).toBeUndefined()
  })

  itOnce('leaves an anonymised order out of the export, and keeps its country', async () => {
    shop = await openErasureShop(kind, anonymising)
    const { id, order } = await shop.signUp()
    const other = await saveOrder(shop.payload, anOrder({ customerEmail: grace }))
    const broken = { customerEmail: adalgisa.email, shippingAddress: anAddress({ city: '' }) }
    await saveOrder(shop.payload, anOrder(broken))
    await shop.handle(exportRequest({}))
    const skipped = () => shop.payload.count({ collection: 'shipping-skipped-orders' })
    expect(await skipped()).toEqual({ totalDocs: 1 })
    await shop.remove(id)
    expect(await skipped()).toEqual({ totalDocs: 0 })
    const xml = await (await shop.handle(exportRequest({}))).text()
    expect(xml).toContain(other.reference)
    expect(xml).not.toContain(order.reference)
    // Nor is it reported as one that the merchant has to correct.
    expect(await skipped()).toEqual({ totalDocs: 0 })
    expect(
      await shop.payload.findByID({ collection: 'orders', id: order.id, depth: 0 }),
    ).toMatchObject({
      reference: order.reference,
      amount: 4250,
      shippingAddress: { country: 'GB' },
    })
  })

  itOnce('can come again as a new customer', async () => {
    shop = await openErasureShop(kind, anonymising)
    const { id } = await shop.signUp()
    await shop.round()
    await shop.remove(id)
    const account = { email: adalgisa.email, password: 'correct horse battery' }
    await shop.create('users', account)
    await saveOrder(shop.payload, anOrder({ customerEmail: adalgisa.email }))
    await shop.finish()
    await shop.round()
    const placed = shop.standIn.state.events.filter(({ metric }) => metric === 'Placed Order')
    expect(placed).toHaveLength(1)
    expect(profileOf(adalgisa.email)?.attributes.first_name).toBe('Ada')
  })

  itOnce(
    'does not come back with the answer to a call that was under way, nor do others lose theirs',
    async () => {
      shop = await openErasureShop(kind)
      const { id } = await shop.signUp()
      const held = holdCalls(shop)
      await outboxOf().store([identify(adalgisa.email, 'held'), identify(grace, 'with it')])
      const delivering = shop.round()
      await held.arrived
      expect((await sends()).some(({ state }) => state === 'sending')).toBe(true)
      await shop.remove(id)
      held.letGo()
      await delivering
      expect((await sends()).filter(({ profile }) => profile.includes('quux'))).toMatchObject([
        { kind: 'erase', state: 'queued' },
      ])
      await shop.finish()
      await shop.round()
      expect(profileOf(adalgisa.email)).toBeUndefined()
      expect((await shop.search([adalgisa.email])).sort()).toEqual(['orders', 'transactions'])
      expect(profileOf(grace)).toBeDefined()
      expect((await sends()).map(({ key, state }) => [key, state])).toContainEqual([
        'with it',
        'sent',
      ])
    },
  )

  itOnce(
    'is deleted at Klaviyo by no phone number, which may be somebody else’s, and only after what was sent has settled',
    async () => {
      shop = await openErasureShop(kind)
      const { id } = await shop.signUp()
      const profile = { phoneNumber: adalgisa.phone }
      await outboxOf().store([
        {
          key: 'by phone',
          message: { kind: 'identify', profile },
          acceptedAt: new Date(shop.now()),
        },
      ])
      await shop.round()
      await shop.remove(id)
      expect((await sends()).map(({ kind: of, profile: about }) => [of, about])).toEqual([
        ['erase', adalgisa.email.toLowerCase()],
      ])
      const [send] = (await sends()) as unknown as { nextAttemptAt: string; acceptedAt: string }[]
      const dueInMs = Date.parse(send?.nextAttemptAt ?? '') - Date.parse(send?.acceptedAt ?? '')
      expect(dueInMs).toBeGreaterThan(4 * 60_000)
    },
  )

  it('loses a send that another process stores late from what it read before', async () => {
    shop = await openErasureShop(kind)
    const { id } = await shop.signUp()
    const read = new Date()
    await shop.remove(id)
    await outboxOf().store([{ ...identify(adalgisa.email, 'late'), acceptedAt: read }])
    const [before] = await shop.erasures()
    expect(before).toMatchObject({ state: 'erased' })
    shop.move(50_000)
    await expect.poll(afterRound).not.toContain('late')
  })

  itOnce(
    'is erased by the next process when the one that deleted the account has ended',
    async () => {
      shop = await openErasureShop(kind, anonymising)
      const { id } = await shop.signUp()
      const { users } = shop.payload.collections
      const hooks = users?.config.hooks.afterDelete.splice(0) ?? []
      // As after a kill between the deletion and what follows it: nothing was rolled back.
      const req = await createLocalReq({}, shop.payload)
      await shop.parts.erasures.begin(id, req)
      await shop.payload.delete({ collection: 'users', id })
      users?.config.hooks.afterDelete.push(...hooks)
      expect(await shop.search([adalgisa.street])).toContain('orders')
      await shop.finish()
      expect(await shop.search(names)).toEqual([])
    },
  )

  it('stays, when the deletion of the account is refused', async () => {
    shop = await openErasureShop(kind, anonymising)
    const { id } = await shop.signUp()
    shop.payload.collections.users?.config.hooks.beforeDelete.push(() => {
      throw new Error('An order is open')
    })
    await expect(shop.payload.delete({ collection: 'users', id })).rejects.toThrow('open')
    shop.move(10 * 60_000)
    await shop.round()
    expect(await shop.erasures()).toEqual([])
    expect(await shop.search([adalgisa.street])).toContain('orders')
    expect((await sends()).some(({ kind }) => kind === 'erase')).toBe(false)
  })

  itOnce('loses the sends alone where the setting is off', async () => {
    shop = await openErasureShop(kind, {
      ...anonymising,
      marketing: { settings: { accountDeletions: false } },
    })
    const { id } = await shop.signUp()
    await outboxOf().store([identify(adalgisa.email, 'waits')])
    await shop.remove(id)
    const named = (await sends()).filter(({ profile }) => !profile.startsWith('exchange:'))
    expect(named).toEqual([])
    expect(await shop.erasures()).toEqual([])
    expect(await shop.search([adalgisa.street])).toContain('addresses')
  })

  itOnce('is not named by an erasure that it asked for, when it was an admin', async () => {
    shop = await openErasureShop(kind)
    const asked = { orders: 'keep', door: 'admin', askedBy: adalgisa.email.toUpperCase() } as const
    await shop.parts.erasures.erase(grace, asked)
    const { id } = await shop.signUp()
    expect(await shop.erasures()).toMatchObject([{ askedBy: asked.askedBy }])
    await shop.remove(id)
    await shop.finish()
    expect(await shop.erasures()).toMatchObject([{ askedBy: null }, { askedBy: null }])
  })

  itOnce('is recorded as not reported to Klaviyo in a shop without a key', async () => {
    shop = await openErasureShop(kind, { marketing: { settings: { privateApiKey: '' } } })
    await shop.remove((await shop.signUp()).id)
    await shop.finish()
    expect(await shop.erasures()).toMatchObject([{ klaviyo: 'none', state: 'done' }])
    expect(await sends()).toEqual([])
  })

  itOnce(
    'stays on the list of the open ones while Klaviyo refuses, until somebody resends',
    async () => {
      shop = await openErasureShop(kind)
      const { id } = await shop.signUp()
      const fault = shop.standIn.faults.add({
        kind: 'error',
        status: 400,
        calls: ['delete-profile'],
      })
      await shop.remove(id)
      shop.move(10 * 60_000)
      await expect
        .poll(async () => {
          await shop.round()
          return (await shop.erasures())[0]?.klaviyo
        })
        .toBe('failed')
      fault.remove()
      const [failed] = (await shop.payload.find({ collection: 'marketing-sends' })).docs
      expect((await shop.post(`/marketing-sends/${failed?.id}/resend`, {})).status).toBe(200)
      await shop.finish()
      expect(await shop.erasures()).toMatchObject([{ klaviyo: 'accepted' }])
    },
  )

  itOnce('is erased by the store’s own code too, which can refuse it', async () => {
    const erased: unknown[] = []
    let problem: Error | undefined
    shop = await openErasureShop(kind, {
      erasure: {
        onErase: (person, { orders }) => {
          if (problem) throw problem
          erased.push({ ...person, orders })
        },
      },
    })
    const { id } = await shop.signUp()
    problem = new Error('The reviews are locked')
    const body = { email: adalgisa.email }
    expect((await shop.post('/marketing-erasures/erase', body)).status).toBe(500)
    problem = undefined
    expect((await shop.post('/marketing-erasures/erase', body)).status).toBe(201)
    expect(erased).toEqual([
      {
        emails: [adalgisa.email.toLowerCase()],
        // On SQLite the refusal came after the account was deleted.
        phoneNumbers: kind === 'postgres' ? [adalgisa.phone] : [],
        ...(kind === 'postgres' && { customerId: id }),
        orders: 'keep',
      },
    ])
  })

  it('may be a guest: what was bought with the email is found without an account', async () => {
    shop = await openErasureShop(kind)
    await shop.signUp(grace)
    const email = adalgisa.email.toUpperCase()
    await saveOrder(shop.payload, anOrder({ customerEmail: email }))
    const preview = await shop.post('/marketing-erasures/preview', { email: adalgisa.email })
    expect(await preview.json()).toMatchObject({ found: { hasAccount: false, orderCount: 1 } })
    expect((await eraseByAdmin({ orders: 'anonymise' })).status).toBe(201)
    expect(await shop.search([grace])).toContain('users')
    await shop.finish()
    expect(await shop.search([adalgisa.email])).toEqual([])
  })

  it('is the one with exactly this address: no part of it, no pattern and no other tag', async () => {
    shop = await openErasureShop(kind)
    await shop.signUp()
    const [name = '', domain = ''] = adalgisa.email.split('@')
    for (const email of [
      ...[`${name.split('+')[0]}@${domain}`, `%@${domain}`, `${name.slice(0, -1)}_@${domain}`],
      ...[domain, { contains: name }, [adalgisa.email]],
    ]) {
      const response = await eraseByAdmin({ email, orders: 'anonymise' })
      expect([201, 400]).toContain(response.status)
    }
    const email = ` ${adalgisa.email.toUpperCase()} `
    const preview = await shop.post('/marketing-erasures/preview', { email })
    const found = { hasAccount: true, orderCount: 2, cartCount: 1, addressCount: 1 }
    expect(await preview.json()).toMatchObject({ found })
  })

  itOnce('is no admin, and has an email', async () => {
    shop = await openErasureShop(kind)
    const admin = { email: grace, password: 'correct horse battery', roles: ['admin'] }
    await shop.create('users', admin)
    for (const [body, status, code] of [
      [{ email: grace }, 409, 'ERASURE_OF_ADMIN'],
      [{ email: 'nobody' }, 400, 'EMAIL_INVALID'],
      [{ email: `${'a'.repeat(300)}@example.com` }, 400, 'EMAIL_INVALID'],
      [{ orders: 'burn' }, 400, 'EMAIL_INVALID'],
      [{ email: undefined }, 400, 'EMAIL_INVALID'],
    ] as const) {
      const response = await eraseByAdmin(body)
      expect([response.status, response.headers.get('x-error-code')]).toEqual([status, code])
    }
    expect(await shop.erasures()).toEqual([])
  })
})
