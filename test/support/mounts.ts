import { getPayload } from 'payload'
import { actionRoutes } from '../../src/mounts/next/index.js'
import { closeInstance } from './close-instance.js'
import { serveStore } from './served-store.js'
import type { TestStore } from './store.js'

const shop = 'https://shop.example'

export interface Mount {
  /** @param path Below `/actions/`. */
  send: (path: string, init?: RequestInit) => Promise<Response>
  close: () => Promise<void>
}

/** The ways to the actions of a store. */
export const mounts: Record<string, (store: TestStore) => Promise<Mount>> = {
  'handle()': ({ handle }) =>
    Promise.resolve({
      send: (path, init) => handle(new Request(shop + path, init)),
      close: () => Promise.resolve(),
    }),
  "Payload's own API route": (store) =>
    Promise.resolve({
      send: (path, init) => store.api(new Request(`${shop}/api${path}`, init)),
      close: () => Promise.resolve(),
    }),
  'a Next.js route': ({ payload: { config } }) => {
    const routes: Record<string, (request: Request) => Promise<Response>> = actionRoutes(config)
    return Promise.resolve({
      send: (path, init) => {
        const request = new Request(shop + path, init)
        const route = routes[request.method]
        if (route === undefined) throw new Error(`There is no route for ${request.method}.`)
        return route(request)
      },
      // It uses an instance that Payload makes for the process.
      close: async () => closeInstance(await getPayload({ config })),
    })
  },
  'node:http': async (store) => {
    const { url, close } = await serveStore(store, { origin: shop })
    return { send: (path, init) => fetch(url + path, { redirect: 'manual', ...init }), close }
  },
}
