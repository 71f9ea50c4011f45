import { da } from 'payload/i18n/da'
import { pl } from 'payload/i18n/pl'
import { expect, it, onTestFinished } from 'vitest'
import { anAddress, anOrder, saveOrder } from '../../support/orders.js'
import { exportRequest } from '../../support/shipping-requests.js'
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
  const { payload, handle } = world
  await saveOrder(payload, anOrder({ shippingAddress: anAddress({ city: '' }) }))
  await handle(exportRequest())
  await world.pass(1)
  expect(world.mails.map(({ subject }) => subject)).toEqual(['1 <fehlt>'])
  expect(world.mails[0]?.html).toContain('<html lang="da">')
  expect(world.mails[0]?.html).toContain('1 &lt;fehlt&gt;')
  // What the store does not translate is in English.
  expect(world.mails[0]?.text).toContain('Open the skipped orders in the shop.')
})

it('An alert has the plural that the language has for the number', async () => {
  const world = await openAlertWorld('sqlite', {
    settings: only('ordersSkipped'),
    config: { i18n: { fallbackLanguage: 'pl', supportedLanguages: { pl } } as never },
  })
  onTestFinished(() => world.close())
  const { payload, handle } = world
  for (const city of ['', ' ']) {
    await saveOrder(payload, anOrder({ shippingAddress: anAddress({ city }) }))
  }
  await handle(exportRequest())
  await world.pass(1)
  expect(world.mails.map(({ subject }) => subject)).toEqual([
    'ShipStation nie dostaje 2 zamówień, bo są niepełne.',
  ])
})
