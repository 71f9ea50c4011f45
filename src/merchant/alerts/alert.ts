import * as z from 'zod/mini'
import { overSchema, type ExistingAlert, type Over } from '../../core/matter.js'
import type { Condition } from './conditions.js'

export const channels = ['email', 'webhook'] as const
export type Channel = (typeof channels)[number]

const text = z.exactOptional(z.string())

/** `repeated`: it is now as the last message said, and came and went meanwhile, or was put off. */
export const messageTypes = ['begun', 'ended', 'repeated'] as const
export type MessageType = (typeof messageTypes)[number]

/** What is said of an alert, in each channel alike. */
const toldSchema = z.object({
  type: z.enum(messageTypes),
  holds: z.boolean(),
  at: z.string(),
  /** How often it had begun by then. */
  times: z.number(),
  /** How often it has come back since the message before this one, and when that message was sent. */
  returned: z.exactOptional(z.object({ times: z.number(), since: z.string() })),
  /** The channels that there were. Earlier versions did not store them. */
  to: z.exactOptional(z.array(z.enum(channels))),
})

export type Told = z.infer<typeof toldSchema>

/** What a channel was told of an alert. Moments are ISO dates. */
const channelStateSchema = z.object({
  /** Whether it last heard that the condition holds. */
  heard: z.boolean(),
  /** What was last said to it or given up: `at` of the `Told`. */
  done: text,
  reminded: text,
  sentAt: text,
  /** The last message that was given up, and why. */
  failed: z.exactOptional(z.object({ at: z.string(), error: z.string() })),
  /** The message that is being sent: how often that was tried, why it failed, and when it is tried again. */
  trying: z.exactOptional(
    z.object({
      id: z.string(),
      /** What it says of the alert, or the day of the reminder that it is. */
      told: z.exactOptional(toldSchema),
      day: text,
      since: z.string(),
      attempts: z.number(),
      dueAt: z.string(),
      error: text,
    }),
  ),
})

export type ChannelState = z.infer<typeof channelStateSchema>

export type ChannelStates = Readonly<Partial<Record<Channel, ChannelState>>>

export const channelStatesSchema: z.ZodMiniType<ChannelStates> = z.object({
  email: z.exactOptional(channelStateSchema),
  webhook: z.exactOptional(channelStateSchema),
})

/** A condition that was reported to hold. It is closed an hour after the last message about it, or its silent end. */
export interface Alert extends ExistingAlert {
  id: string
  condition: Condition
  times: number
  /** The settings with which it was last seen to hold. */
  rule: string
  /** Why it ended; undefined while it holds, and when its end is not reported. */
  over?: Over | undefined
  /** What was last to be told. */
  told: Told
  /** How far that has come, in each channel. */
  states: ChannelStates
  /** Whether an earlier version has told that it holds. It did not store the states of channels. */
  wasTold?: boolean
  /** Until when nobody is reminded that it holds. */
  snoozedUntil?: Date | undefined
}

/** How an alert goes on, as it is stored beside its facts. */
export const alertProgressSchema = z.object({
  times: z.number(),
  rule: z.string(),
  over: z.exactOptional(overSchema),
  told: toldSchema,
  wasTold: z.exactOptional(z.boolean()),
})
