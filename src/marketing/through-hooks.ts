import { z } from 'zod'
import type { Log } from '../store/log.js'
import { boundProfile } from './bound-profile.js'
import type { LeaveOut, LeftOut } from './left-out.js'
import type { MessageHooks } from './message-hooks.js'
import type { EventMessage, IdentifyMessage, MarketingEvent } from './message.js'
import { profileSchema, type Profile } from './profile.js'
import { readProfileProperties, readProperties } from './properties.js'

export interface HookParts {
  hooks: MessageHooks
  log: Log
  /** What the log says of the message: an order's reference, a request's id. Never a person's data. */
  about: Readonly<Record<string, unknown>>
  /** Called when `beforeProfile` says that nothing is to be told of this person. */
  onPersonKeptBack?: () => void
}

/**
 * The message as the store's hooks want it, within the platform's limits; undefined when they veto
 * it. One that throws is logged, and costs the message.
 */
export async function throughHooks<Told extends IdentifyMessage | EventMessage>(
  message: Told,
  { hooks, log, about, onPersonKeptBack }: HookParts,
): Promise<Told | undefined> {
  if (hooks.beforeProfile === undefined && hooks.beforeEvent === undefined) return message
  const event = message.kind === 'event' ? message.event : undefined
  const leftOut: LeftOut[] = []
  const asking: Asking = { hooks, leaveOut: (field, reason) => leftOut.push({ field, reason }) }
  try {
    const profile = await askAboutProfile(message.profile, event?.name, asking)
    if (profile === undefined) {
      onPersonKeptBack?.()
      return undefined
    }
    if (event === undefined) return { ...message, profile }
    const changed = await askAboutEvent(event, profile, asking)
    return changed && { ...message, profile, event: changed }
  } catch (error) {
    log.error(
      { err: error, event: event?.name, ...about },
      'A hook failed: the message is not sent',
    )
    return undefined
  } finally {
    if (leftOut.length > 0) {
      log.warn({ ...about, leftOut: leftOut.slice(0, 20) }, 'Values of a hook left out')
    }
  }
}

interface Asking {
  hooks: MessageHooks
  leaveOut: LeaveOut
}

async function askAboutProfile(
  profile: Profile,
  event: string | undefined,
  { hooks, leaveOut }: Asking,
): Promise<Profile | undefined> {
  if (hooks.beforeProfile === undefined) return profile
  const answer = await hooks.beforeProfile(structuredClone(profile), { event })
  if (answer === false) return undefined
  const { properties, ...attributes } = checked('beforeProfile', profileSchema, answer)
  if (!attributes.email && !attributes.phoneNumber) {
    throw new TypeError('beforeProfile must leave the profile an email or a phone number.')
  }
  const reading = { field: 'profile[properties]', leaveOut }
  const read = properties && { properties: readProfileProperties(properties, reading) }
  return boundProfile({ ...attributes, ...read }, leaveOut)
}

const text = z.string().exactOptional()

const eventSchema = z.object({
  name: z.string().min(1),
  time: text,
  value: z.number().exactOptional(),
  valueCurrency: text,
  properties: z.record(z.string(), z.unknown()),
})

async function askAboutEvent(
  event: MarketingEvent,
  profile: Profile,
  { hooks, leaveOut }: Asking,
): Promise<MarketingEvent | undefined> {
  if (hooks.beforeEvent === undefined) return event
  const about = { profile: structuredClone(profile) }
  const answer = await hooks.beforeEvent(structuredClone(event), about)
  if (answer === false) return undefined
  const { properties, ...rest } = checked('beforeEvent', eventSchema, answer)
  return {
    ...rest,
    uniqueId: event.uniqueId,
    ...(event.backfill && { backfill: event.backfill }),
    properties: readProperties(properties, { field: 'event', leaveOut }),
  }
}

/** Names what is wrong, and never a value: the log must not have a person's data. */
function checked<Schema extends z.ZodType>(
  hook: keyof MessageHooks,
  schema: Schema,
  answer: unknown,
): z.output<Schema> {
  const result = schema.safeParse(answer)
  if (result.success) return result.data
  const places = result.error.issues.map(({ path }) => path.join('.') || 'the whole')
  throw new TypeError(`${hook} must return what it was given, changed, or false: ${places.join()}`)
}
