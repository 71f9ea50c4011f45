import { z } from 'zod'
import { conditionNames } from './conditions.js'
import type { Alert } from './decide-alerts.js'

/** The ways in which a message leaves. */
export const channels = ['email', 'webhook'] as const
export type Channel = (typeof channels)[number]

const alertSchema = z.object({
  condition: z.enum(conditionNames),
  begunAt: z.string(),
  endedAt: z.string().optional(),
  facts: z.object({ count: z.number().optional(), since: z.string().optional() }),
})

const contentSchema = z.discriminatedUnion('type', [
  z.object({ type: z.enum(['begun', 'ended']), alert: alertSchema }),
  z.object({ type: z.literal('digest'), at: z.string(), alerts: z.array(alertSchema) }),
  z.object({ type: z.literal('test'), at: z.string() }),
])

/** What a message says. Its texts are made when it is sent. */
export type MessageContent = z.output<typeof contentSchema>

/** An alert as a message has it, with ISO dates. */
export type ToldAlert = z.output<typeof alertSchema>

export interface AlertMessage {
  id: string
  channel: Channel
  content: MessageContent
}

/** A message with how far its sending has come. */
export interface StoredMessage extends AlertMessage {
  attempts: number
  dueAt: Date
}

export const readContent = (stored: unknown): MessageContent | undefined =>
  contentSchema.safeParse(stored).data

const toldAlert = ({ condition, begunAt, endedAt, facts }: Alert): ToldAlert => ({
  condition,
  begunAt: begunAt.toISOString(),
  ...(endedAt && { endedAt: endedAt.toISOString() }),
  facts,
})

/** The messages about an alert, one for each channel. The same alert always gives the same ids. */
export function messagesOf(
  alert: Alert,
  type: 'begun' | 'ended',
  to: readonly Channel[],
): AlertMessage[] {
  const { endedAt, ...begun } = toldAlert(alert)
  const content: MessageContent = {
    type,
    alert: type === 'ended' && endedAt !== undefined ? { ...begun, endedAt } : begun,
  }
  return to.map((channel) => ({ id: `${alert.id}-${type}-${channel}`, channel, content }))
}

/** The messages of a day about what is still open. */
export const digestOf = (
  { day, at, alerts }: { day: string; at: Date; alerts: readonly Alert[] },
  to: readonly Channel[],
): AlertMessage[] =>
  to.map((channel) => ({
    id: `digest-${day}-${channel}`,
    channel,
    content: { type: 'digest', at: at.toISOString(), alerts: alerts.map(toldAlert) },
  }))
