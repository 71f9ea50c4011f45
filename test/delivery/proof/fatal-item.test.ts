import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { serveKlaviyoStandIn, type ServedStandIn } from '../../../dev/klaviyo/serve-stand-in.ts'
import { demoApiKey } from '../../../dev/klaviyo/stand-in.ts'
import type { NewSend } from '../../../src/delivery/send.js'
import { partsOf } from '../../../src/installation.js'
import { processScript } from '../../support/process-script.js'
import { databaseKinds, openStore, type TestStore } from '../../support/store.js'
import { countUnfinished, readSends } from './stored-sends.js'

const items = 60
const start = Date.UTC(2026, 10, 2, 10)
/** Longer than any lease. */
const betweenProcesses = 10 * 60_000

describe.concurrent.each(databaseKinds)('an item that takes down whoever sends it (%s)', (kind) => {
  let store: TestStore
  let platform: ServedStandIn
  beforeAll(async () => {
    store = await openStore(kind)
    platform = await serveKlaviyoStandIn({ port: 0 })
  })
  afterAll(async () => {
    await platform.close()
    await store.close()
  })

  /** Whether it came to its end alive. */
  async function deliver(processes: number): Promise<boolean> {
    const script = processScript('fatal-item-process')
    const at = String(start + processes * betweenProcesses)
    const child = spawn(
      process.execPath,
      [script, kind, store.url, platform.origin, demoApiKey, at],
      { stdio: ['ignore', 'ignore', 'inherit'] },
    )
    const [code, signal] = (await once(child, 'close')) as [number | null, string | null]
    if (signal === null) expect(code).toBe(0)
    return signal === null
  }

  // Seven processes one after the other.
  const longRun = { timeout: 240_000 }

  it(
    'is set aside when it has done so three times alone, and takes nothing with it',
    longRun,
    async () => {
      const { outbox } = partsOf(store.payload)
      await outbox.store(Array.from({ length: items }, (_, index) => anEvent(index)))

      let lost = 0
      while (!(await deliver(lost)) && lost < 10) lost += 1

      // In a batch of 60, of 60 once more, of 10, and three times alone.
      expect(lost).toBe(6)
      expect(await countUnfinished(store)).toBe(0)
      const failed = (await readSends(store)).filter(({ state }) => state === 'failed')
      expect(failed.map(({ uniqueId, error }) => [uniqueId, error?.code])).toEqual([
        ['fatal 30', 'WORKER_LOST'],
      ])
      expect(platform.standIn.state.events).toHaveLength(items - 1)
    },
  )
})

function anEvent(index: number): NewSend {
  const uniqueId = index === 30 ? `fatal ${index}` : `event ${index}`
  return {
    key: uniqueId,
    acceptedAt: new Date(start),
    message: {
      kind: 'event',
      profile: { email: `p${index}@example.com` },
      event: { name: 'Viewed', uniqueId, properties: {} },
    },
  }
}
