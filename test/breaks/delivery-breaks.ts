import type { Break } from './break.js'

export const deliveryBreaks: readonly Break[] = []
