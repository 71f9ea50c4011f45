import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { randomFrom } from '../../dev/seed/random.ts'
import { sqlDatabase } from '../../src/database/database.js'
import { endLease } from '../support/end-lease.js'
import { anAddress, anOrder, saveOrder } from '../support/orders.js'
import { makePlainScripts } from '../support/plain-scripts.js'
import { exportRequest } from '../support/shipping-requests.js'
import { databaseKinds, openStore } from '../support/store.js'

/** `ALERT_KILLS=200 npx vitest run test/alerts/kills` looks longer. */
const kills = Number(process.env.ALERT_KILLS ?? 6)
const seed = Number(process.env.SEED ?? 20261123)

const minuteMs = 60_000
/** What a process does in its first round takes about so long. */
const roundMs = 600
const processMs = 30_000

describe.each(databaseKinds)('Processes that are killed while they watch (%s)', (kind) => {
  it(
    `say once that something is wrong and once that it is over: ${kills} kills, seed ${seed}`,
    { timeout: 60_000 + kills * processMs },
    async ({ task }) => {
      const random = randomFrom(seed)
      const scripts = makePlainScripts()
      const store = await openStore(kind)
      const database = sqlDatabase(store.payload)
      const received: { path: string; id: string; text: string }[] = []
      let onReceived = () => {}
      const server = createServer((request, response) => {
        const chunks: Buffer[] = []
        request.on('data', (chunk: Buffer) => void chunks.push(chunk))
        request.on('end', () => {
          const { text } = JSON.parse(Buffer.concat(chunks).toString()) as { text: string }
          const id = String(request.headers['webhook-id'])
          received.push({ path: String(request.url), id, text })
          onReceived()
          response.end()
        })
      })
      server.listen(0, '127.0.0.1')
      await once(server, 'listening')
      const receiver = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
      const script = scripts.pathOf('test/support/watch-process.js')

      /** A process begins to watch when the one before is dead, two minutes later by its clock. */
      let started = 0
      const startProcess = async () => {
        await endLease(database)
        const ahead = String((started += 1) * 2 * minuteMs)
        const child = spawn(process.execPath, [script, kind, store.url, receiver, ahead], {
          stdio: ['ignore', 'pipe', 'inherit'],
        })
        const ended = once(child, 'exit')
        await new Promise<void>((resolve, reject) => {
          createInterface({ input: child.stdout }).on('line', (line) => {
            if (line === 'watching') resolve()
          })
          void ended.then(() => reject(new Error('A process ended by itself.')))
        })
        return async () => {
          child.kill('SIGKILL')
          await ended
        }
      }
      /** Half of them die while a message is on its way, the others at any moment of the round. */
      const killOne = async () => {
        const kill = await startProcess()
        const isOnItsWay = random.chance(0.5)
        const arrived = new Promise<void>((resolve) => {
          onReceived = resolve
        })
        const anyMoment = pause(random.between(0, roundMs))
        await (isOnItsWay ? Promise.race([arrived, pause(2 * roundMs)]) : anyMoment)
        await kill()
      }
      const isAllSent = async () => {
        const { docs } = await store.payload.find({
          collection: 'storeconnect-alert-messages',
          pagination: false,
        })
        return docs.map(({ state }) => String(state))
      }

      try {
        const order = anOrder({ shippingAddress: anAddress({ city: '' }) })
        const { id } = await saveOrder(store.payload, order)
        await store.handle(exportRequest())
        for (let killed = 0; killed < kills; killed++) {
          if (killed === Math.ceil(kills / 2)) {
            const data = { shippingAddress: anAddress() }
            await store.payload.update({ collection: 'orders', id, data })
            await store.handle(exportRequest())
          }
          await killOne()
        }
        // A message whose process was killed while it sent is due a minute or more later.
        for (let last = 0; last < 2; last++) {
          started += 60
          const kill = await startProcess()
          await expect.poll(isAllSent, { timeout: 20_000 }).toEqual(Array(4).fill('sent'))
          await kill()
        }
        const ids = (path: string) => [
          ...new Set(received.filter((one) => one.path === path).map((one) => one.text)),
        ]
        const said = [
          'ShipStation does not get 1 order, because it is not complete.',
          'ShipStation gets every order again.',
        ]
        expect(ids('/mail')).toEqual(said)
        expect(ids('/webhook')).toEqual(said)
        expect(new Set(received.map((one) => one.id)).size).toBe(4)
        task.meta.figures = { kills, 'sent again after a kill': received.length - 4 }
      } finally {
        server.closeAllConnections()
        server.close()
        await store.close()
        scripts.remove()
      }
    },
  )
})
