import { platformLimits } from '../marketing/limits.js'
import type { EventMessage } from '../marketing/message.js'
import type { PlatformError } from '../marketing/platform.js'
import type { Profile, Properties } from '../marketing/profile.js'
import { jsonText } from './json-text.js'
import { profileBody } from './profile-body.js'

/**
 * Why the platform would refuse a profile: found here, it costs no call, and no batch that it is in.
 * Undefined when nothing speaks against it.
 */
export function unfitProfile(profile: Profile): PlatformError | undefined {
  const { properties = {}, ...attributes } = profile
  if (profile.email === undefined && profile.phoneNumber === undefined) return identifierMissing
  return (
    unfitValues('profile', attributes) ??
    unfitProperties('profile', properties) ??
    unfitSize(profile)
  )
}

/** The same for an event and its profile. */
export function unfitEvent({ profile, event }: EventMessage): PlatformError | undefined {
  return (
    unfitName(event.name) ??
    unfitProfile(profile) ??
    unfitValues('event', { uniqueId: event.uniqueId }) ??
    unfitProperties('event', event.properties)
  )
}

function unfitName(name: string): PlatformError | undefined {
  if (name === '') return { code: 'EVENT_NAME_MISSING', detail: 'The event has no name.' }
  const limit = platformLimits.eventNameLength
  if (name.length < limit) return undefined
  return {
    code: 'EVENT_NAME_TOO_LONG',
    detail: `An event's name must be shorter than ${limit} characters, prefix included.`,
  }
}

function unfitSize(profile: Profile): PlatformError | undefined {
  const limit = platformLimits.profileBytes
  if (Buffer.byteLength(jsonText(profileBody(profile))) <= limit) return undefined
  return { code: 'TOO_LARGE', detail: `A profile must not be larger than ${limit} bytes.` }
}

function unfitProperties(owner: string, properties: Properties): PlatformError | undefined {
  const limit = platformLimits.properties
  if (Object.keys(properties).length <= limit) return unfitValues(owner, properties)
  return {
    code: 'TOO_MANY_PROPERTIES',
    detail: `The ${owner} has more than ${limit} properties.`,
  }
}

/** Texts, lists and depth, counted with the object itself as the first level. Not recursive. */
function unfitValues(owner: string, values: object): PlatformError | undefined {
  const open: { value: unknown; depth: number }[] = [{ value: values, depth: 1 }]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { value, depth } = next
    const problem = unfitValue(owner, value, depth)
    if (problem !== undefined) return problem
    if (value === null || typeof value !== 'object') continue
    for (const inner of Object.values(value)) open.push({ value: inner, depth: depth + 1 })
  }
  return undefined
}

function unfitValue(owner: string, value: unknown, depth: number): PlatformError | undefined {
  const { textBytes, arrayItems, depth: deepest } = platformLimits
  if (typeof value === 'string' && Buffer.byteLength(value) > textBytes) {
    return { code: 'TEXT_TOO_LONG', detail: `The ${owner} has a text of over ${textBytes} bytes.` }
  }
  if (Array.isArray(value) && value.length > arrayItems) {
    return {
      code: 'ARRAY_TOO_LONG',
      detail: `The ${owner} has over ${arrayItems} items in a list.`,
    }
  }
  if (value !== null && typeof value === 'object' && depth > deepest) {
    return { code: 'TOO_DEEP', detail: `The ${owner} nests deeper than ${deepest} levels.` }
  }
  return undefined
}

const identifierMissing: PlatformError = {
  code: 'IDENTIFIER_MISSING',
  detail: 'The profile has neither an email nor a phone number.',
}
