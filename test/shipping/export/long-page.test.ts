import { expect, it, onTestFinished } from 'vitest'
import { itemsOf, parseExport } from '../../support/exported-orders.js'
import { anOrder, saveOrder } from '../../support/orders.js'
import { exportRequest } from '../../support/shipping-requests.js'
import { anyKind, openStore } from '../../support/store.js'

it('A page of many megabytes is sent in pieces, as hosts of functions refuse more than 4.5 MB in one', async () => {
  const lines = 20_000
  const store = await openStore(anyKind, {
    options: {
      shipping: {
        beforeExport: (order) => ({
          ...order,
          items: Array.from({ length: lines }, () => order.items).flat(),
        }),
      },
    },
  })
  onTestFinished(() => store.close())
  await saveOrder(store.payload, anOrder())

  const { body } = await store.handle(exportRequest())
  const pieces: Uint8Array[] = []
  for await (const piece of body ?? []) pieces.push(piece)
  const xml = Buffer.concat(pieces)
  expect(xml.byteLength).toBeGreaterThan(4_500_000)
  expect(Math.max(...pieces.map(({ byteLength }) => byteLength))).toBeLessThan(4_500_000)
  expect(itemsOf(parseExport(xml.toString()).orders[0])).toHaveLength(lines)
})
