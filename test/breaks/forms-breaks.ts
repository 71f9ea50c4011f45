import type { Break } from './break.js'

export const formsBreaks: readonly Break[] = []
