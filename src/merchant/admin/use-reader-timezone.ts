'use client'

import { useSyncExternalStore } from 'react'

/** Until the page is in the browser, nobody knows where its reader is. */
export const useReaderTimezone = (): string =>
  useSyncExternalStore(
    neverChanges,
    () => new Intl.DateTimeFormat().resolvedOptions().timeZone,
    () => 'UTC',
  )

const neverChanges = () => () => undefined
