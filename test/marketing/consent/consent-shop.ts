import { demoApiKey } from '../../../dev/klaviyo/stand-in.ts'
import type { Profile } from '../../../src/marketing/klaviyo/profile.js'
import type { MarketingOptions } from '../../../src/plugin/options.js'
import {
  simulatedStore,
  type SimulatedProcess,
  type SimulatedStore,
} from '../../support/simulated-store.js'
import type { DatabaseKind, StoreSetup } from '../../support/store-config.js'

export const minute = 60_000

/** A store whose customers follow Klaviyo. Klaviyo and the place up to which it was read begin anew too. */
export const consentStore = (
  kind: DatabaseKind,
  { settings, ...marketing }: MarketingOptions = {},
  setup: Pick<StoreSetup, 'userAuth'> = {},
): SimulatedStore =>
  simulatedStore(kind, {
    ...setup,
    cleared: ['users', 'payload-kv'],
    options: {
      marketing: { ...marketing, settings: { followUnsubscribes: true, ...settings } },
    },
  })

/** Payload's task runs until three runs in a row ask Klaviyo nothing. Each reads ten pages at most. */
export async function followConsents(shop: SimulatedStore, process?: SimulatedProcess) {
  const { calls } = shop.standIn.state
  for (let idle = 0; idle < 3;) {
    const before = calls.length
    await shop.runTask(process)
    shop.move(5_000)
    idle = calls.length > before ? 0 : idle + 1
  }
}

/** An account of somebody whom Klaviyo does not know yet. */
export async function aCustomer({ payload }: SimulatedStore, email = newEmail()) {
  const data = { email, password: 'secret', roles: ['customer'] }
  const { id } = await payload.create({ collection: 'users', data })
  return { id, email }
}

let lastPerson = 0
export const newEmail = () => `person${++lastPerson}@example.com`

export async function consentsOf({ payload }: SimulatedStore, id: number | string) {
  const user = await payload.findByID({ collection: 'users', id })
  const { emailConsent, smsConsent } = user as unknown as Record<
    'emailConsent' | 'smsConsent',
    Record<string, string | null>
  >
  return { email: emailConsent, sms: smsConsent }
}

/** What Klaviyo knows of somebody; the id of the profile. */
export async function aPerson(shop: SimulatedStore, profile: Profile & { email: string }) {
  await people(shop, [profile])
  return shop.standIn.state.profileByEmail(profile.email)?.id ?? ''
}

/** People leave who are known to Klaviyo. */
export async function leave(shop: SimulatedStore, ...emails: string[]) {
  await people(
    shop,
    emails.map((email) => ({ email })),
  )
  for (const email of emails) {
    const { id = '' } = shop.standIn.state.profileByEmail(email) ?? {}
    shop.standIn.people.suppress(id, 'UNSUBSCRIBE')
  }
}

async function people(shop: SimulatedStore, profiles: readonly Profile[]) {
  const { signal } = new AbortController()
  const isSaved = async (profile: Profile) => {
    const saved = await shop.parts.klaviyo.saveProfile(profile, { apiKey: demoApiKey, signal })
    return saved.outcomes[0]?.is === 'delivered'
  }
  // Klaviyo takes 750 a minute.
  for (const profile of profiles) while (!(await isSaved(profile))) shop.move(minute)
}
