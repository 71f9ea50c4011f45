import { da } from 'payload/i18n/da'
import { expect, it, onTestFinished } from 'vitest'
import { anAddress, anOrder, saveOrder } from '../support/orders.js'
import { exportRequest } from '../support/shipping-requests.js'
import { only, openAlertWorld } from './alert-world.js'

// Payload caches the texts of a language for the whole process.
it('An alert is in the fallback language of the store, with the store’s own words', async () => {
  const translations = { da: { storeconnect: { alertOrdersSkipped_one: '{{number}} <fehlt>' } } }
  const world = await openAlertWorld('sqlite', {
    settings: only('ordersSkipped'),
    config: {
      i18n: { fallbackLanguage: 'da', supportedLanguages: { da }, translations } as never,
    },
  })
  onTestFinished(() => world.close())
  const { payload, handle } = world.store
  await saveOrder(payload, anOrder({ shippingAddress: anAddress({ city: '' }) }))
  await handle(exportRequest())
  await world.pass(1)
  expect(world.mails.map(({ subject }) => subject)).toEqual(['1 <fehlt>'])
  expect(world.mails[0]?.html).toContain('<html lang="da">')
  expect(world.mails[0]?.html).toContain('1 &lt;fehlt&gt;')
  // What the store does not translate is in English.
  expect(world.mails[0]?.text).toContain('Open the skipped orders in the shop.')
})
