'use client'

import { useConfig } from '@payloadcms/ui'
import { useCallback } from 'react'
import type { HistoryRun } from '../../history/history-table.js'
import { apiUrl } from '../admin-urls.js'
import { askShop, type ShopAnswer } from './ask-shop.js'

export interface HistoryBody {
  run?: HistoryRun
  /** Answer to the count beforehand. */
  orders?: number
}

/** Asks an endpoint of the history: a `GET`, or a `POST` where there is something to post. */
export function useHistoryRoute(): (
  path: string,
  posted?: object,
) => Promise<ShopAnswer<HistoryBody>> {
  const { config } = useConfig()
  return useCallback(
    (path, posted) => askShop<HistoryBody>(apiUrl(config, `/marketing-histories${path}`), posted),
    [config],
  )
}
