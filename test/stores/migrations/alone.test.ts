import { afterEach, describe, expect, it } from 'vitest'
import { handlerOf, installedIn } from '../../../src/core/installation.js'
import { exportRequest } from '../../support/shipping-requests.js'
import { databaseKinds } from '../../support/store.js'
import { makeMigratedStore, sellTea, type MigratedStore } from './migrated-store.js'

describe.each(databaseKinds)('A product that is switched off and on again (%s)', (kind) => {
  let store: MigratedStore
  afterEach(() => store.remove())

  // Payload goes on from the last migration by name, and two may be of the same second.
  const change = async (to: 'connected' | 'shipping' | 'marketing', name: string) => {
    await store.createMigration(to, name)
    await store.migrate(to)
  }

  it.each(['shipping', 'marketing'] as const)(
    'leaves the orders as they are, and begins anew with a migration: %s alone',
    { timeout: 200_000 },
    async (alone) => {
      store = await makeMigratedStore(kind)
      await change('connected', '1_connected')
      const sold = await store.use('connected', sellTea)
      await change(alone, '2_alone')
      expect(await store.hasChanges(alone)).toBe(false)
      await store.use(alone, async (payload) => {
        const { docs } = await payload.find({ collection: 'orders', depth: 0 })
        expect(docs).toMatchObject([{ id: sold.id, amount: 4250, items: [{ quantity: 2 }] }])
        await sellTea(payload)
        const parts = await installedIn(payload)
        expect(parts?.shippingSettings === undefined).toBe(alone === 'marketing')
        expect(parts?.outbox === undefined).toBe(alone === 'shipping')
      })
      await change('connected', '3_both')
      expect(await store.hasChanges('connected')).toBe(false)
      await store.use('connected', async (payload) => {
        const exported = await handlerOf(payload)(exportRequest())
        expect((await exported.text()).match(/<Order>/g)).toHaveLength(2)
      })
    },
  )
})
