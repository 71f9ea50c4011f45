'use client'

import { useConfig } from '@payloadcms/ui'
import { useCallback, useState } from 'react'
import { apiUrl } from './admin-urls.js'

/** What the shop answered, or its error message; undefined when it gave none. */
export type ShopAnswer<Body> = { body: Body } | { problem: string | undefined; status?: number }

/** The function that asks the shop, and whether an answer is still awaited. */
export function useShop() {
  const { config } = useConfig()
  const [isBusy, setIsBusy] = useState(false)
  const ask = useCallback(
    async <Body>(path: `/${string}`, posted?: object): Promise<ShopAnswer<Body>> => {
      setIsBusy(true)
      const answer = await askShop<Body>(apiUrl(config, path), posted)
      setIsBusy(false)
      return answer
    },
    [config],
  )
  return { ask, isBusy }
}

/** Calls the shop with the user's login: a `POST` when there is something to post, else a `GET`. */
export async function askShop<Body>(url: string, posted?: object): Promise<ShopAnswer<Body>> {
  try {
    const response = await fetch(url, {
      credentials: 'include',
      ...(posted && {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(posted),
      }),
    })
    const { status } = response
    const body: unknown = await response.json()
    return response.ok ? { body: body as Body } : { problem: messageOf(body), status }
  } catch {
    // The shop's log has the cause; the page only says that there was no answer.
    return { problem: undefined }
  }
}

const messageOf = (body: unknown): string | undefined =>
  (body as { errors?: { message?: string }[] } | null)?.errors?.[0]?.message
