import type { Break } from './break.js'

export const alertsBreaks: readonly Break[] = []
