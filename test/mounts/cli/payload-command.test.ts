import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { exitCodes } from '../../../src/mounts/cli/arguments.js'
import { anOrder, saveOrder } from '../../support/orders.js'
import { openStore, type TestStore } from '../../support/store.js'

const run = promisify(execFile)
const bin = join(import.meta.dirname, '../../../node_modules/payload/bin.js')

describe("Payload's own command line", () => {
  let store: TestStore
  beforeAll(async () => void (store = await openStore('sqlite')))
  afterAll(() => store.close())

  const payload = (...given: string[]) =>
    run(process.execPath, [bin, ...given], {
      env: {
        ...process.env,
        PAYLOAD_CONFIG_PATH: join(import.meta.dirname, 'command-config.ts'),
        STORE_URL: store.url,
      },
    })

  it('runs a command with its arguments, and ends with its exit code', async () => {
    await saveOrder(store.payload, anOrder({ customerEmail: 'grace@example.com' }))
    const [erased, refused] = await Promise.allSettled([
      payload('storeconnect:erase', 'grace@example.com', '--yes'),
      payload('storeconnect:sync-orders', '--from', '2026-01-01', '--to', '2025-01-01'),
    ])
    expect(erased).toMatchObject({
      value: { stdout: expect.stringMatching(/orders: 1,.*\nErased in the shop\./s) as string },
    })
    expect(refused).toMatchObject({ reason: { code: exitCodes.usage } })
  })
})
