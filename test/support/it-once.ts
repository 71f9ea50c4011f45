import { it } from 'vitest'
import { anyKind } from './store.js'
import type { DatabaseKind } from './store-config.js'

const nothing = () => undefined
const unlisted = Object.assign(nothing, { each: () => nothing }) as unknown as typeof it

/** `it` for tests that say nothing about the database: only one kind of database lists them. */
export const itOnceOn = (kind: DatabaseKind): typeof it => (kind === anyKind ? it : unlisted)
