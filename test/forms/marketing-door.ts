import { defineAction } from '../../src/http/store-action.js'
import type { FormGuard } from '../../src/http/csrf.js'
import type { NewSend } from '../../src/delivery/send.js'
import { partsOf } from '../../src/installation.js'
import type { MessageHooks } from '../../src/klaviyo/klaviyo-options.js'
import type { Message, MessageKind } from '../../src/klaviyo/message.js'
import type { Profile } from '../../src/klaviyo/profile.js'
import {
  defaultMarketingSettings,
  marketingSettingsSlug,
  type StoredMarketingSettings,
} from '../../src/marketing-settings/marketing-settings.js'
import { captureLog } from '../support/captured-log.js'
import { anyKind, openStore } from '../support/store.js'

export const origin = 'https://shop.example'
const start = new Date('2026-03-10T12:00:00Z')

export interface PostOptions {
  headers?: Record<string, string>
  address?: string
  /** In place of a right one; null for none. */
  token?: string | null
  guard?: FormGuard
  method?: string
}

type Fields = Readonly<Record<string, string>> | readonly (readonly [string, string])[]

export type MarketingDoor = Awaited<ReturnType<typeof openMarketingDoor>>

/** A store to post to identify and track, whose clock stands still. `shop/look` is an action to forward to. */
export async function openMarketingDoor({
  hooks = {},
  timezone = 'UTC',
}: { hooks?: MessageHooks; timezone?: string } = {}) {
  const log = captureLog()
  const clock = { now: start }
  const forwarded: Record<string, unknown>[] = []
  /** What `mapUser` makes of the account of who posts; undefined for a guest. */
  const visitor: { account: Profile | undefined } = { account: undefined }
  const look = defineAction('shop/look', ({ parameters }) => {
    forwarded.push(parameters)
    return Response.json({ looked: true }, { status: 201 })
  })
  const store = await openStore(anyKind, {
    options: {
      timezone,
      actions: [look],
      marketing: { ...hooks, mapUser: () => visitor.account },
    },
    effects: { now: () => clock.now },
    config: { ...log.config, serverURL: origin },
  })
  const { payload } = store
  const { forms, sessions, outbox } = partsOf(payload)
  const login = { email: 'account@shop.example', password: 'green tea, no sugar' }
  await payload.create({ collection: 'users', data: login })
  const { token: account } = await payload.login({ collection: 'users', data: login })

  async function post(
    action: 'identify' | 'track',
    body: Fields | Blob,
    { guard, address, method = 'POST', ...options }: PostOptions = {},
  ): Promise<Response> {
    const session = await sessions.open({ url: origin, headers: new Headers() })
    session.keep()
    const cookies = [(await session.cookie())?.split(';')[0] ?? '']
    if (visitor.account !== undefined) cookies.push(`payload-token=${account}`)
    const { token = forms.csrf.issue(session.data.id, guard) } = options
    const request = new Request(`${origin}/actions/marketingconnect/api/${action}`, {
      method,
      headers: {
        cookie: cookies.join('; '),
        'sec-fetch-site': 'same-origin',
        ...(token !== null && { 'x-csrf-token': token }),
        ...options.headers,
      },
      ...(method === 'POST' && { body: body instanceof Blob ? body : formBody(body) }),
    })
    return store.handle(request, { address })
  }

  async function sends(): Promise<NewSend[]> {
    const { docs } = await payload.find({
      collection: 'marketing-sends',
      sort: 'id',
      pagination: false,
    })
    return docs as unknown as NewSend[]
  }

  const only = async <Kind extends MessageKind>(kind: Kind) =>
    (await sends())
      .map(({ message }) => message)
      .filter((message): message is Extract<Message, { kind: Kind }> => message.kind === kind)

  const setSettings = (settings: Partial<StoredMarketingSettings>) =>
    payload.updateGlobal({
      slug: marketingSettingsSlug,
      data: { ...defaultMarketingSettings, ...settings },
    })

  async function clear(): Promise<void> {
    await payload.db.deleteMany({ collection: 'marketing-sends', where: {} })
    forwarded.splice(0)
    log.clear()
  }

  return {
    payload,
    clock,
    visitor,
    forwarded,
    outbox,
    sign: (target: string) => forms.redirects.sign(target),
    setSettings,
    identify: (body: Fields | Blob, options?: PostOptions) => post('identify', body, options),
    track: (body: Fields | Blob, options?: PostOptions) => post('track', body, options),
    /** What is stored to be sent, in its order. */
    sends,
    kinds: async () => (await sends()).map(({ message }) => message.kind),
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
    log,
    /** Which fields were left out with a warning, and why. */
    leftOut(): Record<string, string> {
      const listed = log
        .lines()
        .flatMap(({ leftOut }) => (leftOut ?? []) as { field: string; reason: string }[])
      return Object.fromEntries(listed.map(({ field, reason }) => [field, reason]))
    },
    /** Forgets what was sent and logged. */
    clear,
    /** Begins as after `openMarketingDoor`, but for the counts of posts. */
    async reset(): Promise<void> {
      clock.now = start
      visitor.account = undefined
      await setSettings({})
      await clear()
    },
    close: () => store.close(),
  }
}

function formBody(fields: Fields): URLSearchParams {
  const body = new URLSearchParams()
  const pairs = Symbol.iterator in fields ? fields : Object.entries(fields)
  for (const [name, value] of pairs) body.append(name, value)
  return body
}
