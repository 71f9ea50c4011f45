import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Config } from 'payload'
import { vi } from 'vitest'
import type { StoredAlertSettings } from '../../src/alerts/alert-settings.js'
import { conditionNames, type Condition } from '../../src/alerts/conditions.js'
import { sqlDatabase } from '../../src/database/database.js'
import type { Effects } from '../../src/effects.js'
import { partsOf } from '../../src/installation.js'
import type { StoreConnectOptions } from '../../src/options.js'
import { beforeStatements } from '../support/before-statements.js'
import { captureLog, type CapturedLog } from '../support/captured-log.js'
import { endLease } from '../support/end-lease.js'
import type { DatabaseKind } from '../support/store-config.js'
import { joinStore, openStore, type TestStore } from '../support/store.js'

export interface Mail {
  id: string
  to: string[]
  subject: string
  text: string
  html: string
}

export interface Posted {
  id: string
  timestamp: string
  signature: string
  body: string
}

/** A store on a clock that stands until it is moved, a mailbox, and a receiver of webhooks. */
export interface AlertWorld {
  store: TestStore
  log: CapturedLog
  mails: Mail[]
  posted: Posted[]
  /** Fails mails while it returns an error; a promise that never settles is a server that hangs. */
  mailer: { send: () => Promise<void> }
  /** What the receiver of webhooks answers. */
  receiver: { status: number; answer?: ((response: ServerResponse) => void) | undefined }
  /** Another process on the same database, deployed with other options where they are given. */
  another(options?: StoreConnectOptions): Promise<TestStore>
  /** A round of the process that delivers, now. */
  round(store?: TestStore): Promise<unknown>
  /** A round that ends as the process dies, ahead of the statement of this number. False when it lived. */
  dyingRound(store: TestStore, statement: number): Promise<boolean>
  /** A round that pauses ahead of a statement. Resolves when it does, to what lets it go on to its end. */
  pausedRound(store: TestStore, statement: RegExp): Promise<() => Promise<void>>
  /** Rounds, each so many minutes after the last. */
  pass(minutes: number, everyMinutes?: number): Promise<void>
  saveSettings(settings: Partial<StoredAlertSettings>): Promise<void>
  close(): Promise<void>
}

const minute = 60_000

export const webhookSecret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'

/** Only these conditions are watched. */
export const only = (...watched: Condition[]): Partial<StoredAlertSettings> =>
  Object.fromEntries(conditionNames.map((name) => [name, watched.includes(name)]))

export async function openAlertWorld(
  kind: DatabaseKind,
  {
    settings = {},
    options = {},
    config = {},
    effects = {},
  }: {
    settings?: Partial<StoredAlertSettings>
    options?: StoreConnectOptions
    config?: Partial<Config>
    effects?: Partial<Effects>
  } = {},
): Promise<AlertWorld> {
  // The shop opens at noon, so that the hour of the reminder is a long way off.
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-23T12:00:00Z') })
  const log = captureLog()
  const mails: Mail[] = []
  const posted: Posted[] = []
  const mailer = { send: () => Promise.resolve() }
  const receiver: AlertWorld['receiver'] = { status: 204 }

  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => void chunks.push(chunk))
    request.on('end', () => {
      const header = (name: string) => String(request.headers[name])
      posted.push({
        id: header('webhook-id'),
        timestamp: header('webhook-timestamp'),
        signature: header('webhook-signature'),
        body: Buffer.concat(chunks).toString('utf8'),
      })
      if (receiver.answer) return receiver.answer(response)
      const location = receiver.status === 302 ? { location: '/elsewhere' } : {}
      response.writeHead(receiver.status, location).end()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo

  const email: Config['email'] = () => ({
    name: 'test',
    defaultFromAddress: 'shop@example.com',
    defaultFromName: 'Shop',
    // Not async, so that it can throw before it returns a promise.
    sendEmail(message: unknown) {
      const { messageId: id, ...mail } = message as Omit<Mail, 'id'> & { messageId: string }
      return mailer.send().then(() => void mails.push({ id, ...mail }))
    },
  })
  const setup = {
    effects,
    options: {
      ...options,
      alerts: {
        settings: {
          recipients: ['merchant@shop.example'],
          webhookUrl: `http://127.0.0.1:${port}/alerts`,
          webhookSecret,
          ...settings,
        },
      },
    },
    config: { serverURL: 'https://shop.example', ...log.config, ...config, email },
  }
  const store = await openStore(kind, setup)
  const others: TestStore[] = []
  let ended: Promise<unknown> | undefined

  const round = ({ payload }: TestStore = store) =>
    partsOf(payload).delivery.runUntilIdle({ deadline: new Date(Date.now() + 50_000) })

  return {
    store,
    log,
    mails,
    posted,
    mailer,
    receiver,
    round,
    async dyingRound(dying, statement) {
      let left = statement
      const revive = beforeStatements(dying.payload, () => {
        left -= 1
        if (left <= 0) throw new Error('The process is dead')
      })
      await round(dying).catch(() => undefined)
      revive()
      await endLease(sqlDatabase(store.payload))
      return left <= 0
    },
    async pausedRound(paused, statement) {
      let goOn = () => {}
      const released = new Promise<void>((resolve) => (goOn = resolve))
      await new Promise<void>((reached) => {
        const end = beforeStatements(paused.payload, (given) => {
          if (!statement.test(JSON.stringify(given).replaceAll('\\"', '"'))) return undefined
          end()
          reached()
          return released
        })
        ended = round(paused).catch(() => undefined)
      })
      return async () => {
        goOn()
        await ended
      }
    },
    async another(changed = {}) {
      const options = { ...setup.options, ...changed }
      const joined = await joinStore(kind, store.url, { ...setup, options })
      others.push(joined)
      return joined
    },
    async pass(minutes, everyMinutes = 1) {
      for (let passed = 0; passed < minutes; passed += everyMinutes) {
        vi.setSystemTime(Date.now() + everyMinutes * minute)
        await round()
      }
    },
    async saveSettings(data) {
      await store.payload.updateGlobal({ slug: 'alert-settings', data })
    },
    async close() {
      for (const other of others) await other.close()
      await store.close()
      server.closeAllConnections()
      server.close()
      vi.useRealTimers()
    },
  }
}
