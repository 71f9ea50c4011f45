import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it } from 'vitest'
import { randomFrom } from '../../dev/seed/random.ts'
import { sqlDatabase } from '../../src/database/database.js'
import { endLease } from '../support/end-lease.js'
import { anAddress, anOrder, saveOrder } from '../support/orders.js'
import { processScript } from '../support/process-script.js'
import { exportRequest } from '../support/shipping-requests.js'
import { anyKind, databaseKinds, openStore } from '../support/store.js'

/** `ALERT_KILLS=200 npx vitest run test/alerts/kills` looks longer. */
const kills = Number(process.env.ALERT_KILLS ?? 4)
const seed = Number(process.env.SEED ?? 20261123)

const minuteMs = 60_000
/** About what a process needs for its first round, with all that it does besides. */
const statementsOfRound = 120
/** Ends what hangs. */
const processMs = 120_000

/** The short proof needs one database: `conditions.test.ts` has processes die on both. */
const kinds = process.env.ALERT_KILLS === undefined ? [anyKind] : databaseKinds

describe.each(kinds)('Processes that are killed while they watch (%s)', (kind) => {
  it(
    `say once that something is wrong and once that it is over: ${kills} kills, seed ${seed}`,
    { timeout: (kills + 4) * processMs },
    async ({ task }) => {
      const random = randomFrom(seed)
      const store = await openStore(kind)
      const database = sqlDatabase(store.payload)
      const received: { path: string; id: string; text: string }[] = []
      const server = createServer((request, response) => {
        const chunks: Buffer[] = []
        request.on('data', (chunk: Buffer) => void chunks.push(chunk))
        request.on('end', () => {
          const { text } = JSON.parse(Buffer.concat(chunks).toString()) as { text: string }
          const id = String(request.headers['webhook-id'])
          received.push({ path: String(request.url), id, text })
          response.end()
        })
      })
      server.listen(0, '127.0.0.1')
      await once(server, 'listening')
      const receiver = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
      const script = processScript('watch-process')

      let aheadMs = 0
      /** A process takes over from one that is dead, so much later by its clock. */
      const startProcess = async (minutes: number, fatalStatement?: number) => {
        await endLease(database)
        aheadMs += minutes * minuteMs
        const child = spawn(
          process.execPath,
          [script, kind, store.url, receiver, ...[aheadMs, fatalStatement ?? ''].map(String)],
          { stdio: ['pipe', 'inherit', 'inherit'] },
        )
        return { child, ended: once(child, 'exit') as Promise<[number | null, string | null]> }
      }
      const dieOften = async () => {
        for (let killed = 0; killed < kills / 2; killed++) {
          const { ended } = await startProcess(2, random.between(1, statementsOfRound))
          expect((await ended)[1]).toBe('SIGKILL')
        }
      }
      const states = async () => {
        const collection = 'storeconnect-alert-messages'
        const { docs } = await store.payload.find({ collection, pagination: false })
        return docs.map(({ state }) => String(state))
      }
      /** A process lives until all is sent, also what the killed ones tried several times. */
      const liveUntilSent = async (messages: number) => {
        const { child, ended } = await startProcess(120)
        try {
          await expect.poll(states).toEqual(Array(messages).fill('sent'))
        } finally {
          child.kill('SIGKILL')
          await ended
        }
      }

      try {
        const order = anOrder({ shippingAddress: anAddress({ city: '' }) })
        const { id } = await saveOrder(store.payload, order)
        await store.handle(exportRequest())
        await dieOften()
        await liveUntilSent(2)
        const data = { shippingAddress: anAddress() }
        await store.payload.update({ collection: 'orders', id, data })
        await store.handle(exportRequest())
        await dieOften()
        await liveUntilSent(4)

        const said = (path: string) => [
          ...new Map(
            received.filter((one) => one.path === path).map((one) => [one.id, one.text]),
          ).values(),
        ]
        const both = [
          'ShipStation does not get 1 order, because it is not complete.',
          'No incomplete order is skipped any more.',
        ]
        expect(said('/mail')).toEqual(both)
        expect(said('/webhook')).toEqual(both)
        task.meta.figures = { kills, 'sent again after a kill': received.length - 4 }
      } finally {
        server.closeAllConnections()
        server.close()
        await store.close()
      }
    },
  )
})
