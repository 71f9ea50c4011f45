import { afterAll, beforeAll } from 'vitest'
import type { DatabaseKind, StoreSetup } from './store-config.js'
import { openStore, type TestStore } from './store.js'

/** A store for all tests of a block, which is open from their first hook on. */
export const sharedStore = (
  kind: DatabaseKind,
  setup?: Omit<StoreSetup, 'kind' | 'url'>,
): TestStore => shared(() => openStore(kind, setup))

/** One that is opened in another way. */
export function shared(open: () => Promise<TestStore>): TestStore {
  const store = {} as TestStore
  beforeAll(async () => void Object.assign(store, await open()))
  afterAll(() => store.close())
  return store
}
