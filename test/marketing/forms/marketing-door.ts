import { beforeEach } from 'vitest'
import { defineAction } from '../../../src/core/http/define-action.js'
import type { FormGuard } from '../../../src/core/http/csrf.js'
import type { MessageHooks } from '../../../src/marketing/klaviyo/klaviyo-options.js'
import type { Message, MessageKind } from '../../../src/marketing/klaviyo/message.js'
import type { Profile } from '../../../src/marketing/klaviyo/profile.js'
import { type StoredMarketingSettings } from '../../../src/marketing/settings/marketing-settings.js'
import { shopOrigin } from '../../support/browser.js'
import { simulatedStore } from '../../support/simulated-store.js'
import { anyKind } from '../../support/store.js'
import { defaultMarketingSettings } from '../../support/default-settings.js'

interface Options {
  headers?: Record<string, string>
  address?: string
  /** In place of a right one; null for none. */
  token?: string | null
  guard?: FormGuard
  method?: string
}

type Fields = Readonly<Record<string, string>> | readonly (readonly [string, string])[]

export type MarketingDoor = ReturnType<typeof marketingDoor>

/** A store to post to identify and track. `shop/look` is an action to forward to. */
export function marketingDoor({
  hooks = {},
  timezone = 'UTC',
}: { hooks?: MessageHooks; timezone?: string } = {}) {
  const forwarded: Record<string, unknown>[] = []
  /** What `mapUser` makes of the account of who posts; undefined for a guest. */
  const visitor: { account: Profile | undefined } = { account: undefined }
  const look = defineAction('shop/look', ({ parameters }) => {
    forwarded.push(parameters)
    return Response.json({ looked: true }, { status: 201 })
  })
  const door = simulatedStore(anyKind, {
    start: '2026-03-10T11:00Z',
    cleared: ['users'],
    options: {
      timezone,
      actions: [look],
      marketing: { ...hooks, mapUser: () => visitor.account },
    },
    config: { serverURL: shopOrigin },
  })
  beforeEach(() => {
    visitor.account = undefined
    forwarded.splice(0)
  })

  async function aVisitor() {
    const browser = door.aBrowser()
    if (visitor.account === undefined) return browser
    const login = { email: 'account@shop.example', password: 'green tea, no sugar' }
    const { totalDocs } = await door.payload.count({ collection: 'users' })
    if (totalDocs === 0) await door.payload.create({ collection: 'users', data: login })
    await browser.apiPost('/users/login', login)
    return browser
  }

  async function post(
    action: 'identify' | 'track',
    body: Fields | Blob,
    { guard, address, method = 'POST', headers, ...options }: Options = {},
  ): Promise<Response> {
    const browser = await aVisitor()
    const { token = await browser.token(guard && `?guard=${guard.minimumSeconds}`) } = options
    const init = {
      method,
      headers: { ...(token !== null && { 'x-csrf-token': token }), ...headers },
      ...(method === 'POST' && { body: body instanceof Blob ? body : formBody(body) }),
    }
    return browser.send(`/actions/marketingconnect/api/${action}`, init, address)
  }

  const messages = async (): Promise<Message[]> =>
    (await door.sends()).map(({ message }) => message)
  const only = async <Kind extends MessageKind>(kind: Kind) =>
    (await messages()).filter(
      (message): message is Extract<Message, { kind: Kind }> => message.kind === kind,
    )

  return Object.assign(door, {
    visitor,
    forwarded,
    setSettings: (settings: Partial<StoredMarketingSettings>) =>
      door.save({ ...defaultMarketingSettings, ...settings }),
    identify: (body: Fields | Blob, options?: Options) => post('identify', body, options),
    track: (body: Fields | Blob, options?: Options) => post('track', body, options),
    kinds: async () => (await messages()).map(({ kind }) => kind),
    /** The messages of one kind that were stored. */
    only,
    /** The profile of the first message of that kind; the test fails when there is none. */
    async profile(kind: 'identify' | 'event' | 'subscribe' | 'list-add' = 'identify') {
      const profile = (await only(kind))[0]?.profile
      if (profile === undefined) throw new Error(`No ${kind} was stored.`)
      return profile
    },
    async event() {
      const event = (await only('event'))[0]?.event
      if (event === undefined) throw new Error('No event was stored.')
      return event
    },
    /** Which fields were left out with a warning, and why. */
    leftOut(): Record<string, string> {
      const listed = door.log
        .lines()
        .flatMap(({ leftOut }) => (leftOut ?? []) as { field: string; reason: string }[])
      return Object.fromEntries(listed.map(({ field, reason }) => [field, reason]))
    },
    /** Forgets what was sent and logged. */
    async clear(): Promise<void> {
      await door.payload.db.deleteMany({ collection: 'marketing-sends', where: {} })
      forwarded.splice(0)
      door.log.clear()
    },
  })
}

function formBody(fields: Fields): URLSearchParams {
  const body = new URLSearchParams()
  const pairs = Symbol.iterator in fields ? fields : Object.entries(fields)
  for (const [name, value] of pairs) body.append(name, value)
  return body
}
