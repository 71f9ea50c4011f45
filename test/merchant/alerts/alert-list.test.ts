import { createLocalReq, getLocalI18n } from 'payload'
import { de } from 'payload/i18n/de'
import { en } from 'payload/i18n/en'
import { mergeListSearchAndWhere } from 'payload/shared'
import { describe, expect, it, onTestFinished } from 'vitest'
import { anAddress, anOrder, saveOrder } from '../../support/orders.js'
import { basic, exportRequest } from '../../support/shipping-requests.js'
import { anyKind } from '../../support/store.js'
import { only, openAlertWorld } from './alert-world.js'

describe('The search in the list of alerts', () => {
  it('finds the sentences that a reader sees', async () => {
    const world = await openAlertWorld(anyKind, {
      settings: only('ordersSkipped', 'credentialsRefused'),
      config: { i18n: { supportedLanguages: { en, de } } },
    })
    onTestFinished(() => world.close())
    const { payload, handle } = world
    const headers = { authorization: basic('ship', 'of yesterday') }
    await handle(exportRequest({}, { headers }))
    await world.pass(1)
    await saveOrder(payload, anOrder({ shippingAddress: anAddress({ city: '' }) }))
    await handle(exportRequest())
    await world.pass(1)

    const collection = 'storeconnect-alerts'
    const { config: collectionConfig } = payload.collections[collection] ?? {}
    const search = async (words: string, language: 'de' | 'en' = 'en') => {
      const i18n = await getLocalI18n({ config: payload.config, language })
      const req = await createLocalReq({ req: { i18n, t: i18n.t } }, payload)
      const where = mergeListSearchAndWhere({
        collectionConfig: collectionConfig as never,
        search: words,
        where: { begunAt: { exists: true } },
      })
      const { docs } = await payload.find({ collection, where, req })
      return docs.map((doc) => String((doc as unknown as { condition: string }).condition))
    }
    const refused = "Logins with ShipStation's username are refused"
    const skipped = 'Orders are skipped because they are not complete'
    expect(await search('shipstation')).toEqual([refused])
    expect(await search('complete SKIPPED')).toEqual([skipped])
    expect(await search('are')).toEqual([skipped, refused])
    expect(await search('übersprungen')).toEqual([])
    expect(await search('übersprungen', 'de')).toHaveLength(1)
    expect(await search('complete', 'de')).toEqual([])
  })
})
