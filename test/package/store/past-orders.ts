import { getPayload } from 'payload'
import config from './payload.config.ts'

// Run in the store: orders of last year, as an import brings them.

const payload = await getPayload({ config })
for (const day of ['2025-02-01', '2025-07-15', '2025-12-31', '2026-01-01']) {
  await payload.create({
    collection: 'orders',
    data: {
      status: 'completed',
      customerEmail: 'ada@example.com',
      amount: 4250,
      currency: 'USD',
      createdAt: `${day}T12:00:00.000Z`,
      items: [{ name: 'Green tea', sku: 'TEA-1', quantity: 2, unitPrice: 2125 }],
    },
    context: { storeconnect: 'import' },
  })
}
process.exit(0)
