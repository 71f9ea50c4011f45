import { afterAll, beforeAll, beforeEach } from 'vitest'
import { de } from 'payload/i18n/de'
import { en } from 'payload/i18n/en'
import { pl } from 'payload/i18n/pl'
import type { ShippingOptions } from '../../../src/shipping/shipping-options.js'
import { captureLog } from '../../support/captured-log.js'
import {
  changeSettings,
  clearStore,
  readExport,
  skippedOrders,
} from '../../support/exported-orders.js'
import { anOrder, overwriteOrder, saveOrder } from '../../support/orders.js'
import { exportRequest } from '../../support/shipping-requests.js'
import type { DatabaseKind } from '../../support/store-config.js'
import { openStore, type TestStore } from '../../support/store.js'

type Data = Record<string, unknown>

/** One store for all tests of a block, without orders at the beginning of each. */
export function validatingStore(kind: DatabaseKind) {
  const log = captureLog()
  /** The hooks of the store. Each test sets them, but the store is opened once. */
  const hooks: Required<Pick<ShippingOptions, 'beforeExport'>> = { beforeExport: (order) => order }
  let store: TestStore
  beforeAll(async () => {
    store = await openStore(kind, {
      config: { ...log.config, i18n: { supportedLanguages: { de, en, pl } } },
      options: { shipping: { beforeExport: (order) => hooks.beforeExport(order) } },
    })
  })
  beforeEach(async () => {
    hooks.beforeExport = (order) => order
    await clearStore(store.payload)
    log.clear()
  })
  afterAll(() => store.close())

  const respond = (parameters: Record<string, string> = {}) =>
    store.handle(exportRequest(parameters))
  return {
    log,
    hooks,
    get payload() {
      return store.payload
    },
    api: (request: Request) => store.api(request),
    respond,
    exported: async () => readExport(await respond()),
    references: async () => (await readExport(await respond())).references,
    save: (changes: Data = {}) => saveOrder(store.payload, anOrder(changes)),
    overwrite: (id: number | string, data: Data) => overwriteOrder(store.payload, id, data),
    notes: () => skippedOrders(store.payload),
    failOnInvalidOrder: () => changeSettings(store.payload, { failOnInvalidOrder: true }),
  }
}
