import { realEffects } from '../../src/effects.js'
import { formAction, type FormParts } from '../../src/http/form-action.js'
import type { FormVisit } from '../../src/http/visit.js'
import { createForwards } from '../../src/http/forward.js'
import { createFrontDoor, webHandle } from '../../src/http/front-door.js'
import { createIdentifyAction } from '../../src/forms/marketing-action.js'
import { createTrackAction, type FindOrderDetails } from '../../src/forms/track-action.js'
import type { NewSend } from '../../src/delivery/send.js'
import { createCsrfTokens, type FormGuard } from '../../src/http/csrf.js'
import { createPostThrottle } from '../../src/forms/post-throttle.js'
import { createOwnOrigins } from '../../src/http/same-site.js'
import { createSessions } from '../../src/http/session.js'
import { createSignedRedirects } from '../../src/http/redirect-target.js'
import { resolveOptions } from '../../src/options.js'
import type { MessageHooks } from '../../src/klaviyo/klaviyo-options.js'
import type { Message, MessageKind } from '../../src/klaviyo/message.js'
import type { Profile } from '../../src/klaviyo/profile.js'
import type { Shop } from '../../src/shop.js'
import { memoryCounts } from '../support/memory-counts.js'
import {
  defaultMarketingSettings,
  marketingSettingTable,
  resolveMarketingSettings,
  type StoredMarketingSettings,
} from '../../src/marketing-settings/marketing-settings.js'

export const origin = 'https://shop.example'

/** What was logged: level, fields and sentence. */
export interface Line {
  level: 'info' | 'warn' | 'error'
  fields: Record<string, unknown>
  sentence: string
}

export interface PostOptions {
  headers?: Record<string, string>
  address?: string
  /** In place of a right one; null for none. */
  token?: string | null
  guard?: FormGuard
  method?: string
}

type Fields = Readonly<Record<string, string>> | readonly (readonly [string, string])[]

export type MarketingDoor = ReturnType<typeof openMarketingDoor>

/** The front door with identify and track, an outbox in memory and a clock that stands still. */
export function openMarketingDoor({
  findOrderDetails,
  hooks = {},
}: { findOrderDetails?: FindOrderDetails; hooks?: MessageHooks } = {}) {
  const secret = 'a secret of the tests'
  const clock = { now: new Date('2026-03-10T12:00:00Z') }
  const now = () => clock.now
  const effects = { ...realEffects, now }
  const sends: NewSend[] = []
  const lines: Line[] = []
  const forwarded: FormVisit[] = []
  const state = {
    settings: {} as Partial<StoredMarketingSettings>,
    account: undefined as Profile | undefined,
    storeFailure: undefined as Error | undefined,
    timezone: 'UTC',
  }

  const sessions = createSessions({ secret, effects })
  const csrf = createCsrfTokens({ secret, effects })
  const redirects = createSignedRedirects({ secret })
  const form: FormParts = {
    csrf,
    redirects,
    isOwnOrigin: createOwnOrigins([origin]),
    apiRoute: '/api',
  }
  const lineOf = (level: Line['level']) => (fields: Record<string, unknown>, sentence: string) =>
    void lines.push({ level, fields, sentence })
  const log = { info: lineOf('info'), warn: lineOf('warn'), error: lineOf('error') }

  const updateCart = formAction(form, (visit) => {
    forwarded.push(visit)
    return Promise.resolve(Response.json({ cart: 'updated' }, { status: 201 }))
  })
  const parts = {
    form,
    forwards: createForwards({ actions: { 'commerce/cart/update-cart': updateCart } }),
    throttle: createPostThrottle({ effects, log } as unknown as Shop, memoryCounts()),
    settings() {
      const stored = { ...defaultMarketingSettings, ...state.settings }
      const eventPrefix = marketingSettingTable.eventPrefix.read(stored.eventPrefix, '')
      return Promise.resolve(
        resolveMarketingSettings({ ...stored, eventPrefix }, { NODE_ENV: 'test' }),
      )
    },
    outbox: {
      store(stored: readonly NewSend[]) {
        if (state.storeFailure !== undefined) return Promise.reject(state.storeFailure)
        sends.push(...stored)
        return Promise.resolve()
      },
    },
    hooks: resolveOptions({ marketing: hooks }).marketing,
    profileOf: () => Promise.resolve(state.account ?? {}),
    log,
    now,
  }
  const door = createFrontDoor({
    actions: {
      'marketingconnect/api/identify': createIdentifyAction(parts),
      'marketingconnect/api/track': createTrackAction({
        ...parts,
        get timezone() {
          return state.timezone
        },
        ...(findOrderDetails && { findOrderDetails }),
      }),
    },
    log,
    effects,
    sessions,
    visitorOf: () => {
      const { account } = state
      return Promise.resolve(account && { id: 7, collection: 'users', document: {} })
    },
  })

  async function post(
    action: 'identify' | 'track',
    body: Fields | Blob,
    options: PostOptions = {},
  ): Promise<Response> {
    const session = await sessions.open({ url: origin, headers: new Headers() })
    session.keep()
    const cookie = (await session.cookie())?.split(';')[0] ?? ''
    const { guard } = options
    const token = options.token === undefined ? csrf.issue(session.data.id, guard) : options.token
    const method = options.method ?? 'POST'
    const request = new Request(`${origin}/actions/marketingconnect/api/${action}`, {
      method,
      headers: {
        cookie,
        ...(token !== null && { 'x-csrf-token': token }),
        ...options.headers,
      },
      ...(method === 'POST' && { body: body instanceof Blob ? body : formBody(body) }),
    })
    return webHandle(door)(request, { address: options.address })
  }

  const only = <Kind extends MessageKind>(kind: Kind) =>
    sends
      .map(({ message }) => message)
      .filter((message): message is Extract<Message, { kind: Kind }> => message.kind === kind)

  return {
    clock,
    state,
    sends,
    lines,
    forwarded,
    redirects,
    identify: (body: Fields | Blob, options?: PostOptions) => post('identify', body, options),
    track: (body: Fields | Blob, options?: PostOptions) => post('track', body, options),
    /** The messages of one kind that were stored. */
    only,
    /** The profile of the first message of that kind; the test fails when there is none. */
    profile(kind: 'identify' | 'event' | 'subscribe' | 'list-add' = 'identify'): Profile {
      const profile = only(kind)[0]?.profile
      if (profile === undefined) throw new Error(`No ${kind} was stored.`)
      return profile
    },
    event() {
      const event = only('event')[0]?.event
      if (event === undefined) throw new Error('No event was stored.')
      return event
    },
    /** Which fields were left out with a warning, and why. */
    leftOut(): Record<string, string> {
      const listed = lines
        .filter(({ level }) => level === 'warn')
        .flatMap(({ fields }) => (fields.leftOut ?? []) as { field: string; reason: string }[])
      return Object.fromEntries(listed.map(({ field, reason }) => [field, reason]))
    },
    clear() {
      sends.splice(0)
      lines.splice(0)
      forwarded.splice(0)
    },
  }
}

function formBody(fields: Fields): URLSearchParams {
  const body = new URLSearchParams()
  const pairs = Symbol.iterator in fields ? fields : Object.entries(fields)
  for (const [name, value] of pairs) body.append(name, value)
  return body
}
