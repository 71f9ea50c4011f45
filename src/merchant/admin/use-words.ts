'use client'

import { useTranslation } from '@payloadcms/ui'
import { useSyncExternalStore } from 'react'
import { createWords, type Words } from './words.js'

export const useWords = (timezone?: string): Words => createWords(useTranslation().i18n, timezone)

/** Until the page is in the browser, nobody knows where its reader is. */
export const useReaderTimezone = (): string =>
  useSyncExternalStore(
    neverChanges,
    () => new Intl.DateTimeFormat().resolvedOptions().timeZone,
    () => 'UTC',
  )

const neverChanges = () => () => undefined
