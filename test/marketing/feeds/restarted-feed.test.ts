import { sql } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { sqlDatabase } from '../../../src/core/database/database.js'
import { saveOrder, type SavedOrder } from '../../support/orders.js'
import { eventShop } from './event-shop.js'

describe('What a crash leaves between a change and its send (sqlite)', () => {
  const shop = eventShop('sqlite', { cleared: ['carts', 'users'] })
  const run = (statement: string) => sqlDatabase(shop.payload).run(sql.raw(statement))

  describe('of an order', () => {
    const numbered = () => saveOrder(shop.payload)
    const sentFor = async ({ number }: { number: string }) =>
      (await shop.events(number)).map(({ name, properties }) => [
        name,
        (properties.Items as unknown[] | undefined)?.length,
      ])

    it('is sent with all its lines, though the feed restarted while they were being written', async () => {
      const [other, order] = [await numbered(), await numbered()]
      await shop.loseSends()
      // Without transactions Payload writes the row of an order before its lines.
      const lineId = order.items[0]?.id ?? ''
      const giveLineTo = ({ id }: SavedOrder) =>
        run(`update orders_items set _parent_id = ${id} where id = '${lineId}'`)
      await giveLineTo(other)
      await run(`update orders set saving_since = '${new Date(shop.now()).toISOString()}'`)
      await shop.restartFeeds()
      expect(await shop.reported()).toEqual([])

      await giveLineTo(order)
      await run('update orders set saving_since = null')
      await shop.restartFeeds()
      expect(await sentFor(order)).toEqual([
        ['Placed Order', 1],
        ['Ordered Product', undefined],
      ])
    })

    it('is sent by a restarted feed when it could not be stored with the change', async () => {
      await awayWhile(numbered)
      expect(shop.log.text()).not.toMatch(/ada@example|Lovelace/)
      await shop.restartFeeds()
      expect((await shop.events()).map(({ name }) => name)).toEqual([
        'Placed Order',
        'Ordered Product',
      ])
    })
  })

  describe('of an account', () => {
    const create = async (email = 'ada@example.com', context = {}) => {
      const data = { email, password: 'correct horse battery' }
      return shop.payload.create({ collection: 'users', data, context })
    }
    const emails = async () => (await shop.reported()).map(({ message }) => message.profile.email)

    it('is sent by a restarted feed, page by page, once', async () => {
      const count = 120
      await awayWhile(async () => {
        await create()
        for (let index = 1; index < count; index++) await createUnchecked(index)
      })
      await shop.restartFeeds()
      await shop.restartFeeds()
      expect(await emails()).toHaveLength(count)
      expect(new Set(await emails()).size).toBe(count)
    })

    it('is sent though the account had the same before: back again is a change too', async () => {
      const { id } = await create()
      await shop.reported()
      await shop.update('users', id, { email: 'grace@example.com' })
      await awayWhile(() => shop.update('users', id, { email: 'ada@example.com' }))
      await shop.restartFeeds()
      expect(await emails()).toEqual(['ada@example.com', 'grace@example.com', 'ada@example.com'])
    })

    it('is not sent again, nor after an unchanged save, when nothing was left', async () => {
      const { id } = await create()
      await shop.update('users', id, { roles: ['customer'] })
      await shop.loseSends()
      await shop.restartFeeds()
      expect(await emails()).toEqual([])
    })

    it.each([
      ['silent', { roles: ['customer'] }, { storeconnect: 'import' }],
      ['a silent change', { email: 'other@example.com' }, { storeconnect: 'import' }],
      ['without a change of the profile', { roles: ['customer'] }, {}],
    ])(
      'is not sent after an unchanged save that is %s, for one never sent before',
      async (_, data, context) => {
        const { id } = (await createUnchecked(1)) as { id: number }
        await shop.update('users', id, { ...data, context })
        await shop.restartFeeds()
        expect(await emails()).toEqual([])
        await shop.update('users', id, { email: 'grace@example.com' })
        expect(await emails()).toEqual(['grace@example.com'])
      },
    )

    const createUnchecked = (index: number) =>
      shop.payload.db.create({ collection: 'users', data: { email: `${index}@example.com` } })
  })

  /** Nothing can be stored to be sent meanwhile. */
  async function awayWhile(work: () => Promise<unknown>): Promise<void> {
    await shop.reported()
    await run(`create trigger away before insert on marketing_sends
      begin select raise(abort, 'away'); end`)
    await work()
    await expect(shop.reported()).rejects.toThrow('could not be stored')
    await run('drop trigger away')
  }
})
