import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { finished } from 'node:stream/promises'
import { postgresAdapter } from '@payloadcms/db-postgres'
import { getPayload } from 'payload'
import { actionsListener } from '../../src/node/index.js'
import { anOrder } from './orders.js'
import { storeConfig, type DatabaseKind } from './store-config.js'

// A store on a host of functions. It says `idle` when an answer is sent and all that the host was asked to
// wait for is done, so that the host may stop it there.
const [kind = '', url = '', apiUrl = '', privateApiKey = '', name = ''] = process.argv.slice(2)

const waitedFor = new Set<Promise<unknown>>()
const waitUntil = (work: Promise<unknown>) => void waitedFor.add(work)
Object.assign(globalThis, {
  [Symbol.for('@next/request-context')]: { get: () => ({ waitUntil }) },
})

const connectionString = `${url}?application_name=${name}`
const db = postgresAdapter({ pool: { connectionString, max: 2 }, push: false })
const config = await storeConfig({
  kind: kind as DatabaseKind,
  url,
  config: kind === 'postgres' ? { db } : {},
  options: {
    marketing: { apiUrl, delivery: 'auto', settings: { privateApiKey } },
    shipping: { settings: { pageSize: 4 } },
  },
})
const payload = await getPayload({ config })
const answer = actionsListener(payload, { origin: 'https://shop.example' })

const server = http.createServer((request, response) => {
  void answered(request, response)
})
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port))

async function answered(request: http.IncomingMessage, response: http.ServerResponse) {
  const isAction = await answer(request, response)
  if (!isAction) {
    const { reference } = await payload.create({ collection: 'orders', data: anOrder() })
    response.end(JSON.stringify(reference))
  }
  if (!response.writableFinished) await finished(response)
  for (const work of waitedFor) {
    await work
    waitedFor.delete(work)
  }
  process.send?.('idle')
}
