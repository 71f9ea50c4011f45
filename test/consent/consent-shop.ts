import { sql } from 'drizzle-orm'
import { expect } from 'vitest'
import { serveKlaviyoStandIn, type ServedStandIn } from '../../dev/klaviyo/serve-stand-in.ts'
import { demoApiKey } from '../../dev/klaviyo/stand-in.ts'
import { emailIsUnchanged } from '../../src/accounts/verified-email.js'
import { createConsentPoll } from '../../src/consent/consent-poll.js'
import { createCustomerConsents } from '../../src/consent/customer-consents.js'
import type { Deliverer } from '../../src/delivery/deliverer.js'
import { partsOf, pluginSlug } from '../../src/installation.js'
import { resolveOptions, type StoreConnectOptions } from '../../src/options.js'
import type { ProfileInput } from '../../dev/klaviyo/profile-book.ts'
import { shopOf } from '../support/shop-of.js'
import type { DatabaseKind, StoreSetup } from '../support/store-config.js'
import { openStore, type TestStore } from '../support/store.js'

export const minute = 60_000

export interface ConsentShop extends TestStore {
  klaviyo: ServedStandIn
  /** By the clock of the shop and of Klaviyo. */
  now(): Date
  /** Delivers everything that waits, as Payload's task does. */
  deliver(): Promise<void>
  /** The profile of a person at Klaviyo, made if needed; its id. */
  person(attributes: Record<string, string>): Promise<string>
  /** The ids of the profiles of many people, made at once. */
  people(emails: readonly string[]): Promise<string[]>
}

/** A store beside a stand-in of Klaviyo that has no rate limits. */
export async function openConsentShop(
  kind: DatabaseKind,
  { marketing = {}, ...options }: StoreConnectOptions = {},
  setup: Pick<StoreSetup, 'effects' | 'userAuth'> = {},
): Promise<ConsentShop> {
  const now = setup.effects?.now ?? (() => new Date())
  const klaviyo = await serveKlaviyoStandIn({
    port: 0,
    limits: 'none',
    now: () => now().getTime(),
  })
  const settings = { privateApiKey: demoApiKey, followUnsubscribes: true, ...marketing.settings }
  const store = await openStore(kind, {
    ...setup,
    options: {
      ...options,
      marketing: { apiUrl: klaviyo.origin, delivery: 'task', ...marketing, settings },
    },
  })
  return {
    ...store,
    klaviyo,
    now,
    async deliver() {
      const { delivery } = partsOf(store.payload)
      const where = { state: { in: ['queued', 'sending'] } }
      // On a busy machine a call may time out. Calls of its kind are then paused, for 50 seconds at most.
      const deliverOnce = async () => {
        await delivery.runUntilIdle({ deadline: new Date(now().getTime() + 30_000) })
        klaviyo.standIn.settle()
        return (await store.payload.count({ collection: 'marketing-sends', where })).totalDocs
      }
      await expect.poll(deliverOnce, { timeout: 100_000 }).toBe(0)
    },
    async person(attributes) {
      const input: { data: ProfileInput & { type: 'profile' } } = {
        data: { type: 'profile', attributes },
      }
      const response = await fetch(`${klaviyo.origin}/api/profile-import`, {
        method: 'POST',
        headers: {
          authorization: `Klaviyo-API-Key ${demoApiKey}`,
          revision: '2026-07-15',
          'content-type': 'application/vnd.api+json',
        },
        body: JSON.stringify(input),
      })
      const { data } = (await response.json()) as { data: { id: string } }
      return data.id
    },
    async people(emails) {
      const { signal } = new AbortController()
      const profiles = emails.map((email) => ({ email }))
      const { platform } = partsOf(store.payload)
      await platform.importProfiles(profiles, { apiKey: demoApiKey, signal })
      klaviyo.standIn.settle()
      return emails.map((email) => klaviyo.standIn.state.profileByEmail(email)?.id ?? '')
    },
    async close() {
      await store.close()
      await klaviyo.close()
    },
  }
}

/** What the store gave `storeConnect()`. */
function optionsOf({ payload }: TestStore) {
  const plugin = payload.config.plugins?.find(({ slug }) => slug === pluginSlug)
  return resolveOptions(plugin?.options as StoreConnectOptions)
}

/** The poll of a process of the store that has just started, on a clock that only a test moves. */
export function consentPollOf(
  store: TestStore,
  { start = Date.now(), delivers = true }: { start?: number; delivers?: boolean } = {},
) {
  const { payload } = store
  let time = start
  let asked = 0
  const { platform, marketingSettings } = partsOf(payload)
  const log: { fields: Record<string, unknown>; sentence: string }[] = []
  const note = (fields: Record<string, unknown>, sentence: string) =>
    void log.push({ fields, sentence })
  const shop = shopOf(payload, { now: () => new Date(time) })
  const { signal } = new AbortController()
  const isLeaseHeld = delivers ? sql`true` : sql`false`
  const worker = createConsentPoll(
    { ...shop, options: optionsOf(store), log: { info: note, warn: note, error: note } },
    {
      platform,
      deliverer: {
        // The deliverer's own question has a permit and a lease around it.
        ask: async ({ make }) => {
          asked += 1
          return make({ apiKey: demoApiKey, signal })
        },
        isLeaseHeld: () => isLeaseHeld,
      } as Partial<Deliverer> as Deliverer,
      settings: marketingSettings.get,
      customers: createCustomerConsents(shop.database, {
        customersSlug: 'users',
        emailIsUnchanged,
      }),
    },
  )
  return {
    log,
    pass: (ms: number) => {
      time += ms
    },
    /** Takes one turn, as a process that is then killed. */
    async turn(): Promise<void> {
      const step = await worker.next()
      if ('run' in step) await step.run()
    },
    /** Takes turns until three of them ask Klaviyo nothing. */
    async run(): Promise<void> {
      for (let idle = 0; idle < 3;) {
        const before = asked
        const step = await worker.next()
        if ('run' in step) await step.run()
        else time += 5_000
        idle = asked > before ? 0 : idle + 1
      }
    },
  }
}
