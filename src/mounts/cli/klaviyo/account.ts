import { randomUUID } from 'node:crypto'
import * as z from 'zod/mini'

// What the local Klaviyo has received, in memory. Only the newest are kept.

const values = z.record(z.string(), z.unknown())

/** A profile as a call names it. */
export const profileSchema = z.object({ attributes: values })

export const eventSchema = z.object({
  metric: z.object({ data: z.object({ attributes: z.object({ name: z.string() }) }) }),
  properties: z._default(values, {}),
  unique_id: z.optional(z.string()),
  time: z.optional(z.string()),
  value: z.optional(z.number()),
  value_currency: z.optional(z.string()),
})

const consentsSchema = z.record(
  z.string(),
  z.object({ marketing: z.object({ consent: z.string() }) }),
)

/** What tells people apart, the strongest first. */
const identifiers = ['external_id', 'email', 'phone_number', 'anonymous_id', '_kx'] as const

export interface KeptProfile {
  id: string
  updatedAt: Date
  attributes: Record<string, unknown>
  lists: Set<string>
  /** The consent of a channel, such as `SUBSCRIBED` for `email`. */
  consents: Map<string, { consent: string; at: Date }>
}

export interface KeptEvent extends z.infer<typeof eventSchema> {
  at: Date
  profile: KeptProfile
}

/** What came beside profiles and events: about a list, a consent, a product or a coupon. */
export interface KeptChange {
  at: Date
  /** A person or a coupon. */
  who: string
  what: string
}

export type Account = ReturnType<typeof createAccount>

const keptAtMost = 500

/** Makes an account that nobody has, to see what a shop sends. */
export function createAccount(now: () => Date) {
  const profiles: KeptProfile[] = []
  const events: KeptEvent[] = []
  const changes: KeptChange[] = []
  const lists = new Set(['TryIt1'])
  /** The coupon of each code that nobody has used, by Klaviyo's id of the code. */
  const codes = new Map<string, string>()

  function save(given: z.infer<typeof profileSchema>): KeptProfile {
    const { subscriptions, properties, ...attributes } = given.attributes
    const found = profiles.find((kept) =>
      identifiers.some(
        (name) => attributes[name] !== undefined && same(kept.attributes[name], attributes[name]),
      ),
    )
    const profile: KeptProfile = found ?? {
      id: randomUUID(),
      updatedAt: now(),
      attributes: {},
      lists: new Set(),
      consents: new Map(),
    }
    const before = values.safeParse(profile.attributes.properties).data
    const added = values.safeParse(properties).data
    Object.assign(profile.attributes, attributes, added && { properties: { ...before, ...added } })
    for (const [channel, { marketing }] of Object.entries(
      consentsSchema.safeParse(subscriptions).data ?? {},
    )) {
      profile.consents.set(channel, { consent: marketing.consent, at: now() })
    }
    profile.updatedAt = now()
    if (found !== undefined) profiles.splice(profiles.indexOf(found), 1)
    keep(profiles, profile)
    return profile
  }

  const note = (who: string, what: string): void => keep(changes, { at: now(), who, what })
  const change = (profile: KeptProfile, what: string): void => note(nameOf(profile), what)

  return {
    profiles,
    events,
    changes,
    lists,
    codes,
    save,

    /** Klaviyo records an event with the same unique id once. */
    track(given: z.infer<typeof eventSchema>, of: z.infer<typeof profileSchema>): void {
      const profile = save(of)
      const { name } = given.metric.data.attributes
      const isKnown = events.some(
        (event) =>
          given.unique_id !== undefined &&
          event.unique_id === given.unique_id &&
          event.metric.data.attributes.name === name &&
          event.profile === profile,
      )
      if (!isKnown) keep(events, { ...given, at: now(), profile })
    },

    addToList(ids: ReadonlySet<string>, list: string): void {
      lists.add(list)
      for (const profile of profiles.filter(({ id }) => ids.has(id))) {
        profile.lists.add(list)
        change(profile, `added to the list ${list}`)
      }
    },

    subscribe(of: z.infer<typeof profileSchema>, list: string | undefined): void {
      const profile = save(of)
      const consents = consentsSchema.safeParse(of.attributes.subscriptions).data ?? {}
      for (const [channel, { marketing }] of Object.entries(consents)) {
        const place = list === undefined ? '' : ` to the list ${list}`
        change(profile, `${channel}: ${marketing.consent}${place}`)
      }
      if (list === undefined) return
      lists.add(list)
      profile.lists.add(list)
    },

    waitFor(variant: string, of: z.infer<typeof profileSchema>, channels: readonly string[]): void {
      change(save(of), `${channels.join(', ')} when the variant ${variant} is in stock again`)
    },

    addCodes(given: readonly { coupon: string; code: string }[]): void {
      for (const { coupon, code } of given) codes.set(`${coupon}-${code}`, coupon)
      for (const { coupon, code } of given.slice(0, 1))
        note(coupon, `${given.length} codes, such as ${code}`)
    },

    useCode(id: string): void {
      codes.delete(id)
      note(id, 'was used')
    },

    /** Deletes a person with the events, as Klaviyo does. */
    remove(of: z.infer<typeof profileSchema>): void {
      const profile = save(of)
      change(profile, 'deleted with all events')
      profiles.splice(profiles.indexOf(profile), 1)
      const others = events.filter((event) => event.profile !== profile)
      events.splice(0, events.length, ...others)
    },
  }
}

/** The newest comes first, and the oldest goes. */
function keep<Value>(kept: Value[], value: Value): void {
  kept.unshift(value)
  kept.splice(keptAtMost)
}

const same = (one: unknown, other: unknown): boolean =>
  typeof one === 'string' && typeof other === 'string' && one.toLowerCase() === other.toLowerCase()

/** What the page calls a person. */
export function nameOf({ id, attributes }: KeptProfile): string {
  const name = ['email', 'phone_number', 'external_id', 'anonymous_id', '_kx']
    .map((each) => attributes[each])
    .find((value) => typeof value === 'string')
  return typeof name === 'string' ? name : id
}
