import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { apiOf } from '../../support/api-of.js'
import { itemsOf, readExport } from '../../support/exported-orders.js'
import { aLine, anOrder, saveOrder } from '../../support/orders.js'
import { exportRequest } from '../../support/shipping-requests.js'
import { anyKind, openStore } from '../../support/store.js'

const picture = '/media/tea.png'

describe('A picture kept as a path, in a store without sites', () => {
  afterEach(() => vi.unstubAllEnvs())

  it.each([
    ['serverURL', 'https://shop.example', 'https://shop.example'],
    ['NEXT_PUBLIC_SERVER_URL, where Payload has no serverURL', '', 'https://public.example'],
  ])('begins with %s, in the export and in its preview', async (_, serverURL, origin) => {
    vi.stubEnv('NEXT_PUBLIC_SERVER_URL', 'https://public.example')
    const store = await openStore(anyKind, { config: { serverURL } })
    onTestFinished(() => store.close())
    const items = [aLine({ imageUrl: picture })]
    const { reference } = await saveOrder(store.payload, anOrder({ items }))

    const { orders } = await readExport(await store.handle(exportRequest()))
    expect(itemsOf(orders[0])).toMatchObject([{ ImageUrl: origin + picture }])
    const path = `/storeconnect/order-preview?${new URLSearchParams({ reference })}`
    const preview: unknown = await (await apiOf(store)(path, { as: 'admin' })).json()
    expect(preview).toMatchObject({ xml: expect.stringContaining(origin + picture) as unknown })
  })
})
