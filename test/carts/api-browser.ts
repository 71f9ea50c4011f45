import type { JoinField } from 'payload'
import { openStore, type TestStore } from '../support/store.js'
import type { DatabaseKind, StoreSetup } from '../support/store-config.js'

/** As the extension's documentation has stores add it. */
export const cartJoin: JoinField = {
  name: 'cart',
  type: 'join',
  collection: 'carts',
  on: 'customer',
}

/** A store whose customers have the join that `EcommerceProvider` reads. */
export const openApiStore = (
  kind: DatabaseKind,
  setup: Pick<StoreSetup, 'config' | 'payment' | 'userJoins'> = {},
): Promise<TestStore> => openStore(kind, { userJoins: [cartJoin], ...setup })
