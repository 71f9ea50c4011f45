import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { allScopes } from '../../../dev/klaviyo/calls.ts'
import { serveKlaviyoStandIn } from '../../../dev/klaviyo/serve-stand-in.ts'
import { demoApiKey } from '../../../dev/klaviyo/stand-in.ts'
import { exitCodes } from '../../../src/mounts/cli/arguments.js'
import { anOrder, saveOrder } from '../../support/orders.js'
import { openStore, type TestStore } from '../../support/store.js'

const run = promisify(execFile)
const bin = join(import.meta.dirname, '../../../node_modules/payload/bin.js')

describe("Payload's own command line", () => {
  let store: TestStore
  beforeAll(async () => void (store = await openStore('sqlite')))
  afterAll(() => store.close())

  const payload = (...given: string[]) => payloadWith({}, ...given)
  const payloadWith = (env: Record<string, string>, ...given: string[]) =>
    run(process.execPath, [bin, ...given], {
      env: {
        ...process.env,
        ...env,
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

  it('tests the key of Klaviyo, and says what it lacks as the admin does', async () => {
    const scopes = allScopes.filter((scope) => scope !== 'lists:write')
    const klaviyo = await serveKlaviyoStandIn({ port: 0, apiKeys: { [demoApiKey]: scopes } })
    onTestFinished(klaviyo.close)
    const tested = payloadWith({ KLAVIYO_URL: klaviyo.origin }, 'storeconnect:doctor')
    const failed = await tested.catch((error: unknown) => error)
    expect(failed).toMatchObject({
      code: exitCodes.open,
      stdout: expect.stringContaining(
        'Klaviyo: Nobody is added to lists in Klaviyo: lists:write\n',
      ) as string,
    })
    const { stdout } = await payload('storeconnect:doctor')
    expect(stdout).toContain('Klaviyo: There is no API key yet.')
  })
})
