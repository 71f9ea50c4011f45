import type { ProfileInput } from './bodies.ts'
import { identifierNames, plainNames, type IdentifierName, type StoredProfile } from './stored.ts'

/** Who a profile's identifiers point to. */
export type Match =
  | { is: 'one'; profile: StoredProfile }
  | { is: 'nobody' }
  | { is: 'unknown-id' }
  /** Its identifiers belong to two profiles: `other` is not the one that the strongest one names. */
  | { is: 'two'; profile: StoredProfile; other: StoredProfile }

const plain = new Set<string>([...identifierNames, ...plainNames])

/** The profiles of the account, each found by any of its identifiers. */
export class ProfileBook {
  readonly profiles = new Map<string, StoredProfile>()
  readonly #index: Record<IdentifierName, Map<string, StoredProfile>> = {
    external_id: new Map(),
    email: new Map(),
    phone_number: new Map(),
    anonymous_id: new Map(),
    _kx: new Map(),
  }
  readonly #now: () => number
  readonly #newId: () => string

  constructor({ now, newId }: { now: () => number; newId: () => string }) {
    this.#now = now
    this.#newId = newId
  }

  byId(id: string): StoredProfile | undefined {
    return this.profiles.get(id)
  }

  by(name: IdentifierName, value: string): StoredProfile | undefined {
    return this.#index[name].get(keyOf(name, value))
  }

  match({ id, attributes }: ProfileInput): Match {
    let first: StoredProfile | undefined
    if (isFilled(id)) {
      first = this.profiles.get(id)
      if (!first) return { is: 'unknown-id' }
    }
    for (const name of identifierNames) {
      const value = attributes[name]
      const holder = isFilled(value) ? this.by(name, value) : undefined
      if (!holder || holder === first) continue
      if (first) return { is: 'two', profile: first, other: holder }
      first = holder
    }
    return first ? { is: 'one', profile: first } : { is: 'nobody' }
  }

  /** Whoever calls has made sure that the identifiers belong to one profile at most. */
  save(input: ProfileInput): { profile: StoredProfile; isNew: boolean } {
    const match = this.match(input)
    const isNew = match.is === 'nobody' || match.is === 'unknown-id'
    const profile = isNew ? this.#create() : match.profile
    this.#write(profile, input)
    return { profile, isNew }
  }

  /**
   * An event is never refused for its identifiers: the strongest one names the profile, and one that
   * another profile holds is left out.
   */
  saveForEvent(input: ProfileInput): StoredProfile {
    const match = this.match(input)
    if (match.is !== 'two') return this.save(input).profile
    const attributes = { ...input.attributes }
    for (const name of identifierNames) {
      const value = attributes[name]
      const holder = isFilled(value) ? this.by(name, value) : undefined
      if (holder && holder !== match.profile) delete attributes[name]
    }
    this.#write(match.profile, { ...input, attributes })
    return match.profile
  }

  remove(profile: StoredProfile): void {
    this.profiles.delete(profile.id)
    for (const name of identifierNames) {
      const value = profile.attributes[name]
      if (value !== undefined) this.#index[name].delete(keyOf(name, value))
    }
  }

  #create(): StoredProfile {
    const at = this.#now()
    const profile: StoredProfile = {
      id: this.#newId(),
      createdAt: at,
      updatedAt: at,
      lastEventAt: undefined,
      attributes: {},
      location: {},
      properties: {},
      consent: {},
      suppressions: [],
      listSuppressions: [],
    }
    this.profiles.set(profile.id, profile)
    return profile
  }

  /** `null` clears, what is absent stays. */
  #write(profile: StoredProfile, { attributes }: ProfileInput): void {
    for (const [name, value] of Object.entries(attributes)) {
      if (plain.has(name)) this.#writePlain(profile, name, value)
      else if (name === 'location' && isObject(value)) mergeInto(profile.location, value)
      else if (name === 'properties') {
        if (value === null) profile.properties = {}
        else if (isObject(value)) mergeInto(profile.properties, value)
      }
    }
    profile.updatedAt = this.#now()
  }

  #writePlain(profile: StoredProfile, name: string, value: unknown): void {
    const earlier = profile.attributes[name]
    if (isIdentifier(name)) {
      if (earlier !== undefined) this.#index[name].delete(keyOf(name, earlier))
      if (isFilled(value)) this.#index[name].set(keyOf(name, value), profile)
    }
    if (typeof value === 'string') profile.attributes[name] = value
    else delete profile.attributes[name]
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** An empty text identifies nobody. */
const isFilled = (value: unknown): value is string => typeof value === 'string' && value !== ''

const isIdentifier = (name: string): name is IdentifierName =>
  (identifierNames as readonly string[]).includes(name)

/** Emails are the same in any case. */
const keyOf = (name: IdentifierName, value: string): string =>
  name === 'email' ? value.toLowerCase() : value

function mergeInto(target: Record<string, unknown>, source: Record<string, unknown>): void {
  for (const [name, value] of Object.entries(source)) {
    if (value === null) delete target[name]
    else Object.defineProperty(target, name, { value, ...ORDINARY })
  }
}

/** Also right for a property named `__proto__`. */
const ORDINARY = { writable: true, enumerable: true, configurable: true } as const
