import { expect, it } from 'vitest'
import { openEventShop } from '../../marketing/feeds/event-shop.js'
import { aLine, anOrder, saveOrder } from '../../support/orders.js'
import { anyKind } from '../../support/store.js'
import { exportRequest } from '../../support/shipping-requests.js'

it('An order of a site below a path has its pictures on the origin, where uploads are, and its pages below the path', async () => {
  const productUrl = ({ sku }: { sku: string }) => `/products/${sku}`
  const shop = await openEventShop(anyKind, { options: { productUrl } })
  const site = await shop.payload.create({
    collection: 'sites',
    data: {
      handle: 'us',
      name: 'US',
      baseUrl: 'https://shop.example/us',
      cartUrl: '/cart',
      enabled: true,
      primary: true,
    },
  })
  const items = [aLine({ sku: 'TEA-1', imageUrl: '/api/media/file/tea.png' })]
  await saveOrder(shop.payload, anOrder({ site: site.id, items }))

  const [placed] = await shop.events()
  expect(placed?.properties.Items).toMatchObject([
    {
      ImageURL: 'https://shop.example/api/media/file/tea.png',
      ProductURL: expect.stringMatching(/^https:\/\/shop\.example\/us\/products\//) as string,
    },
  ])
  const xml = await (await shop.handle(exportRequest())).text()
  expect(xml).toContain('https://shop.example/api/media/file/tea.png')
})
