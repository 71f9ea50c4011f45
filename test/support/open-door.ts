import type { StoreAction } from '../../src/http/store-action.js'
import { partsOf } from '../../src/installation.js'
import { captureLog } from './captured-log.js'
import { anyKind, openStore } from './store.js'
import type { StoreSetup } from './store-config.js'

/** A store with actions of its own. */
export type TestDoor = Awaited<ReturnType<typeof openDoor>>

/** The clock of the store stands still until the test sets it. */
export async function openDoor({
  actions = [],
  options = {},
  config = {},
  ...setup
}: { actions?: readonly StoreAction[] } & Partial<StoreSetup> = {}) {
  const log = captureLog()
  const clock = { now: new Date('2026-03-10T12:00:00Z') }
  const store = await openStore(anyKind, {
    ...setup,
    options: { ...options, actions },
    config: { serverURL: 'https://www.shop.example', ...log.config, ...config },
    effects: { now: () => clock.now },
  })
  return {
    ...store,
    log,
    clock,
    /** A redirect as a form of the store has it. */
    sign: (target: string) => partsOf(store.payload).forms.redirects.sign(target),
  }
}
