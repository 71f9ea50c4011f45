import { writeFileSync } from 'node:fs'
import { NextRequest } from 'next/server.js'
import { getPayload } from 'payload'
import { handlerOf } from 'payload-storeconnect'
import config from './payload.config.ts'

// Run in the store: what a merchant's platform and a visitor's browser do with it, and what they
// get, as JSON in answers.json.

const shop = 'https://shop.example'
const fileOf = (path: string) => new URL(path, import.meta.url).href

interface RouteFile {
  GET: (request: Request) => Promise<Response>
  POST: (request: Request) => Promise<Response>
}
interface ProxyFile {
  proxy: (request: NextRequest) => Promise<Response>
}
// The files that the README tells to make.
const route = (await import(fileOf('app/actions/[...path]/route.ts'))) as RouteFile
const { proxy } = (await import(fileOf('proxy.ts'))) as ProxyFile

const payload = await getPayload({ config })
await payload.create({
  collection: 'orders',
  data: {
    status: 'processing',
    customerEmail: 'ada@example.com',
    amount: 4250,
    currency: 'USD',
    shippingAddress: {
      firstName: 'Ada',
      lastName: 'Lovelace',
      addressLine1: '12 St James Square',
      city: 'London',
      country: 'GB',
    },
    items: [{ name: 'Green tea', sku: 'TEA-1', quantity: 2, unitPrice: 2125 }],
  },
})

const exportUrl = `${shop}/actions/shippingconnect/orders/process?action=export`
const authorization = `Basic ${btoa(`ship:${process.env.SHIPSTATION_PASSWORD}`)}`
const exportRequest = () => new Request(exportUrl, { headers: { authorization } })
const pulled = await route.GET(exportRequest())
const pulledByHandle = await handlerOf(payload)(exportRequest())
const refused = await route.GET(new Request(exportUrl))

const page = await proxy(new NextRequest(`${shop}/`, { headers: { accept: 'text/html' } }))
const cookie = page.headers
  .getSetCookie()
  .map((text) => text.split(';')[0])
  .join('; ')
const session = await route.GET(
  new Request(`${shop}/actions/users/session-info`, { headers: { cookie } }),
)
const { csrfTokenName, csrfTokenValue } = (await session.json()) as Record<string, string>
const identified = await route.POST(
  new Request(`${shop}/actions/marketingconnect/api/identify`, {
    method: 'POST',
    headers: { cookie, accept: 'application/json' },
    body: new URLSearchParams({
      [csrfTokenName ?? '']: csrfTokenValue ?? '',
      email: 'grace@example.com',
      'profile[first_name]': 'Grace',
    }),
  }),
)
// With `delivery: 'task'` the order's own events are stored when the task runs. Without a key none is sent.
await payload.jobs.queue({ task: 'storeconnect-deliver', input: {}, queue: 'storeconnect' })
await payload.jobs.run({ queue: 'storeconnect' })
const { docs: sends } = await payload.find({ collection: 'marketing-sends', depth: 0 })

const answerOf = async (response: Response) => ({
  status: response.status,
  type: response.headers.get('content-type'),
  text: await response.text(),
})
writeFileSync(
  new URL('answers.json', import.meta.url),
  JSON.stringify({
    pulled: await answerOf(pulled),
    pulledByHandle: await answerOf(pulledByHandle),
    refused: await answerOf(refused),
    identified: await answerOf(identified),
    sends,
  }),
)
process.exit(0)
