import { randomUUID } from 'node:crypto'
import { getPayload } from 'payload'
import { describe, expect, it, onTestFinished } from 'vitest'
import { defineAction, handlerOf } from '../../src/index.js'
import { builtPartsIn } from '../../src/core/installation.js'
import type { StoreConnectOptions } from '../../src/plugin/options.js'
import { captureLog, type CapturedLog } from '../support/captured-log.js'
import { closeInstance } from '../support/close-instance.js'
import { saveOrder } from '../support/orders.js'
import { storeDatabase } from '../support/own-database.js'
import { exportRequest } from '../support/shipping-requests.js'
import { storeConfig } from '../support/store-config.js'

/** A store that has just started, as a shop starts it. */
async function start(
  delivery: 'loop' | 'functions' | 'task',
  { log = captureLog(), ...options }: StoreConnectOptions & { log?: CapturedLog } = {},
) {
  const database = await storeDatabase('sqlite')
  const config = await storeConfig({
    kind: 'sqlite',
    url: database.url,
    config: log.config,
    options: { ...options, marketing: { delivery } },
  })
  const payload = await getPayload({ config, key: randomUUID() })
  onTestFinished(async () => {
    await closeInstance(payload)
    await database.remove()
  })
  return payload
}

describe('What runs', () => {
  it('is loaded at the start of a process whose delivery is a loop', async () => {
    expect(builtPartsIn(await start('loop'))).toBeDefined()
  })

  it.each(['functions', 'task'] as const)(
    'is loaded by the first action, where the delivery is a %s, and not by a page of the shop',
    async (mode) => {
      const payload = await start(mode)
      await payload.find({ collection: 'products', depth: 2 })
      expect(builtPartsIn(payload)).toBeUndefined()
      expect((await handlerOf(payload)(exportRequest())).status).toBe(200)
      expect(builtPartsIn(payload)).toBeDefined()
    },
  )

  it('is loaded by the first save that it has to note', async () => {
    const payload = await start('functions')
    await saveOrder(payload)
    expect(builtPartsIn(payload)).toBeDefined()
  })

  it('answers 500 and says why in the log, when it cannot be built by the first action', async () => {
    const log = captureLog()
    const twice = defineAction('shop/polls/vote', ({ json }) => json({}))
    const payload = await start('functions', { log, actions: [twice, twice] })
    const reply = await handlerOf(payload)(exportRequest())
    expect(reply.status).toBe(500)
    const [line] = log.lines().filter(({ msg }) => msg === 'Storeconnect cannot begin its work')
    expect(JSON.stringify(line)).toContain('there are two actions')
  })
})
