'use client'

import { useTranslation } from '@payloadcms/ui'
import { createWords, type Words } from './words.js'

/** The words for components in the browser. */
export const useWords = (timezone?: string): Words => createWords(useTranslation().i18n, timezone)
