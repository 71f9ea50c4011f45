import type { Config } from 'payload'
import type { StoredAlertSettings } from '../../../src/merchant/alerts/alert-settings.js'
import type { Condition } from '../../../src/merchant/alerts/conditions.js'
import { sqlDatabase } from '../../../src/core/database/database.js'
import { allMatters, conditionNames } from '../../support/all-matters.js'
import { beforeStatements } from '../../support/before-statements.js'
import { endLease } from '../../support/end-lease.js'
import {
  openSimulatedStore,
  type SimulatedProcess,
  type SimulatedSetup,
} from '../../support/simulated-store.js'
import type { DatabaseKind } from '../../support/store-config.js'

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

/** A simulated store with a mailbox and a receiver of webhooks, and without a key of Klaviyo. */
export type AlertWorld = Awaited<ReturnType<typeof openAlertWorld>>

const minute = 60_000

export const webhookSecret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const webhookUrl = 'https://hooks.example/alerts'

/** Only these conditions are watched, and those that have the same switches. */
export const only = (...watched: Condition[]): Partial<StoredAlertSettings> => {
  const isOn = (name: string) => watched.some((one) => switchOf(one) === name)
  return Object.fromEntries(conditionNames.map(switchOf).map((name) => [name, isOn(name)]))
}

function switchOf(name: Condition): string {
  const row = allMatters[name]
  return 'switchOf' in row ? row.switchOf : name
}

export async function openAlertWorld(
  kind: DatabaseKind,
  {
    settings = {},
    options: { marketing, ...options } = {},
    config = {},
    effects = {},
  }: Pick<SimulatedSetup, 'options' | 'config' | 'effects'> & {
    settings?: Partial<StoredAlertSettings>
  } = {},
) {
  const mails: Mail[] = []
  const posted: Posted[] = []
  const mailer = { send: () => Promise.resolve() }
  const receiver: {
    status: number
    answer?: ((request: Request) => Promise<Response>) | undefined
  } = { status: 204 }

  async function receive(request: Request): Promise<Response> {
    const { headers, redirect } = request
    if (redirect !== 'manual') throw new TypeError('A webhook follows no redirect.')
    const header = (name: string) => String(headers.get(name))
    posted.push({
      id: header('webhook-id'),
      timestamp: header('webhook-timestamp'),
      signature: header('webhook-signature'),
      body: await request.text(),
    })
    return receiver.answer?.(request) ?? new Response(null, { status: receiver.status })
  }
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
  const world = await openSimulatedStore(kind, {
    effects,
    // It opens at noon, so that the hour of the reminder is a long way off.
    start: '2026-11-23T12:00Z',
    options: {
      ...options,
      marketing: marketing !== false && {
        ...marketing,
        settings: { privateApiKey: '', ...marketing?.settings },
      },
      alerts: {
        settings: {
          recipients: ['merchant@shop.example'],
          webhookUrl,
          webhookSecret,
          ...settings,
        },
      },
    },
    config: { serverURL: 'https://shop.example', ...config, email },
  })
  world.network = (request, ask) => (request.url === webhookUrl ? receive(request) : ask(request))

  return Object.assign(world, {
    mails,
    posted,
    /** Fails mails while it returns an error; a promise that never settles is a server that hangs. */
    mailer,
    /** What the receiver of webhooks answers. */
    receiver,
    /** A round that ends as the process dies, ahead of the statement of this number. False when it lived. */
    async dyingRound(dying: SimulatedProcess, statement: number): Promise<boolean> {
      let left = statement
      const revive = beforeStatements(dying.payload, () => {
        left -= 1
        if (left <= 0) throw new Error('The process is dead')
      })
      await world.runTask(dying).catch(() => undefined)
      revive()
      await endLease(sqlDatabase(world.payload))
      return left <= 0
    },
    /** A round that pauses ahead of a statement. Resolves when it does, to what lets it go on to its end. */
    async pausedRound(paused: SimulatedProcess, statement: RegExp): Promise<() => Promise<void>> {
      let goOn = () => {}
      let ended: Promise<unknown> | undefined
      const released = new Promise<void>((resolve) => (goOn = resolve))
      await new Promise<void>((reached) => {
        const end = beforeStatements(paused.payload, (given) => {
          if (!statement.test(JSON.stringify(given).replaceAll('\\"', '"'))) return undefined
          end()
          reached()
          return released
        })
        ended = world.runTask(paused).catch(() => undefined)
      })
      return async () => {
        goOn()
        await ended
      }
    },
    /** Rounds of the process that delivers, each so many minutes after the last. */
    async pass(minutes: number, everyMinutes = 1): Promise<void> {
      for (let passed = 0; passed < minutes; passed += everyMinutes) {
        world.move(everyMinutes * minute)
        await world.runTask()
      }
    },
    moveTo: (moment: string): void => world.move(Date.parse(moment) - world.now()),
    async saveSettings(data: Partial<StoredAlertSettings>): Promise<void> {
      await world.payload.updateGlobal({ slug: 'alert-settings', data })
    },
  })
}
