import { GRAPHQL_POST } from '@payloadcms/next/routes'
import { getPayload, type BasePayload } from 'payload'
import { closeInstance } from './close-instance.js'
import { storeDatabase } from './own-database.js'
import { storeConfig } from './store-config.js'

export interface GraphqlAnswer {
  data?: Record<string, unknown> | null
  errors?: { message: string; extensions?: { statusCode?: number } }[]
}

/** A store that answers Payload's own GraphQL API, which knows one instance a process. */
export interface GraphqlStore {
  payload: BasePayload
  ask(query: string, token?: string): Promise<GraphqlAnswer>
  close(): Promise<void>
}

export async function openGraphqlStore(): Promise<GraphqlStore> {
  const database = await storeDatabase('sqlite')
  const config = await storeConfig({
    kind: 'sqlite',
    url: database.url,
    options: { marketing: { settings: { accountDeletions: true } } },
  })
  const payload = await getPayload({ config })
  const post = GRAPHQL_POST(config)
  return {
    payload,
    async ask(query, token) {
      const headers = new Headers({ 'content-type': 'application/json' })
      if (token !== undefined) headers.set('authorization', `JWT ${token}`)
      const init = { method: 'POST', headers, body: JSON.stringify({ query }) }
      const response = await post(new Request('https://shop.example/api/graphql', init))
      return (await response.json()) as GraphqlAnswer
    },
    async close() {
      await closeInstance(payload)
      await database.remove()
    },
  }
}
