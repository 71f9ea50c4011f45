import * as z from 'zod/mini'
import type { Log } from '../../core/database/log.js'
import { boundProfile, profileSchema, type Profile } from './profile.js'
import { createLeftOutLog, type LeaveOut } from './left-out.js'
import type { MessageHooks } from './klaviyo-options.js'
import type { HookedMessage, MarketingEvent } from './message.js'
import { readProfileProperties, readProperties } from './properties.js'

export interface HookContext {
  hooks: MessageHooks
  log: Log
  /** Identifies the message in the log, by an order's reference, say. Never personal data. */
  about: Readonly<Record<string, unknown>>
  /** Called when `beforeProfile` holds back everything about this person. */
  onPersonKeptBack?: () => void
}

/** Resolves to the changed message within Klaviyo's limits; undefined when a hook returns false, or throws. */
export async function throughHooks<Hooked extends HookedMessage>(
  message: Hooked,
  { hooks, log, about, onPersonKeptBack }: HookContext,
): Promise<Hooked | undefined> {
  if (hooks.beforeProfile === undefined && hooks.beforeEvent === undefined) return message
  const event = message.kind === 'event' ? message.event : undefined
  const { leaveOut, write } = createLeftOutLog(log)
  const asking: Asking = { hooks, leaveOut }
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
    write(about, 'Values of a hook left out')
  }
}

/** For an event whose person is not known here, because the visitor's browser sends it. */
export async function eventThroughHook(
  event: MarketingEvent,
  { hooks, log, about }: HookContext,
): Promise<MarketingEvent | undefined> {
  const { leaveOut, write } = createLeftOutLog(log)
  try {
    return await askAboutEvent(event, {}, { hooks, leaveOut })
  } catch (error) {
    log.error({ err: error, event: event.name, ...about }, 'A hook failed: the event is not sent')
    return undefined
  } finally {
    write(about, 'Values of a hook left out')
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
  if (!attributes.email && !attributes.phoneNumber && !attributes.exchangeId) {
    throw new TypeError(
      'beforeProfile must leave the profile an email, a phone number or an exchange id.',
    )
  }
  const rules = { field: 'profile[properties]', leaveOut }
  const read = properties && { properties: readProfileProperties(properties, rules) }
  return boundProfile({ ...attributes, ...read }, leaveOut)
}

const text = z.exactOptional(z.string())

const eventSchema = z.object({
  name: z.string().check(z.minLength(1)),
  time: text,
  value: z.exactOptional(z.number()),
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

/** The error names the wrong fields but no value, because personal data must not reach the log. */
function checked<Schema extends z.ZodMiniType>(
  hook: keyof MessageHooks,
  schema: Schema,
  answer: unknown,
): z.output<Schema> {
  const result = schema.safeParse(answer)
  if (result.success) return result.data
  const places = result.error.issues.map(({ path }) => path.join('.') || 'the whole')
  throw new TypeError(`${hook} must return what it was given, changed, or false: ${places.join()}`)
}
