import * as z from 'zod/mini'
import { conditionNames, type AlertFacts } from './conditions.js'
import { messageTypes, type Alert, type Over } from './decide-alerts.js'

/** The ways in which a message leaves. */
export const channels = ['email', 'webhook'] as const
export type Channel = (typeof channels)[number]

const text = z.exactOptional(z.string())

export const factsSchema: z.ZodMiniType<AlertFacts> = z.object({
  count: z.exactOptional(z.number()),
  since: text,
  refusedAt: text,
  asked: text,
  store: text,
  page: z.exactOptional(z.number()),
  pages: z.exactOptional(z.number()),
  isKeyUnreadable: z.exactOptional(z.literal(true)),
  isRevisionRefused: z.exactOptional(z.literal(true)),
  orders: z.exactOptional(
    z.array(z.object({ id: z.union([z.number(), z.string()]), number: z.string() })),
  ),
})

export const overSchema: z.ZodMiniType<Over> = z.object({
  why: z.enum(['pulled', 'gone']),
  at: text,
})

export const returnedSchema = z.object({ times: z.number(), since: z.string() })

const alertSchema = z.object({
  id: text,
  condition: z.enum(conditionNames),
  begunAt: z.string(),
  endedAt: text,
  over: z.exactOptional(overSchema),
  returned: z.exactOptional(returnedSchema),
  facts: factsSchema,
})

const contentSchema = z.discriminatedUnion('type', [
  z.object({
    type: z.enum(messageTypes),
    at: text,
    /** The id of the message that said that the condition holds, when this one says that it is over. */
    after: text,
    alert: alertSchema,
  }),
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

const toldAlert = ({ id, condition, begunAt, endedAt, over, facts }: Alert): ToldAlert => ({
  id,
  condition,
  begunAt: begunAt.toISOString(),
  ...(endedAt && { endedAt: endedAt.toISOString() }),
  ...(over && { over }),
  facts,
})

/**
 * The messages that say what an alert tells, one for each channel. The same alert always gives the same
 * ids.
 */
export function messagesOf(alert: Alert, to: readonly Channel[]): AlertMessage[] {
  const { type, holds, at, times, returned, stem } = alert.told
  const name = holds ? stem : `${alert.id}-${times}-${type}`
  return to.map((channel) => ({
    id: `${name}-${channel}`,
    channel,
    content: {
      type,
      at,
      ...(!holds && { after: `${stem}-${channel}` }),
      alert: { ...toldAlert(alert), ...(returned && { returned }) },
    },
  }))
}

/** Whether a message says that an alert holds; undefined when it is not about that alert. */
export function saysOf(
  content: MessageContent,
  { condition, begunAt }: Pick<ToldAlert, 'condition' | 'begunAt'>,
): boolean | undefined {
  const isAboutIt = (one: ToldAlert) => one.condition === condition && one.begunAt === begunAt
  if (content.type === 'test') return undefined
  if (content.type === 'digest') return content.alerts.some(isAboutIt) ? true : undefined
  if (!isAboutIt(content.alert)) return undefined
  return content.type !== 'ended' && content.after === undefined
}

/** The messages of a day about the alerts that are still open. */
export const digestOf = (
  { day, at, alerts }: { day: string; at: Date; alerts: readonly Alert[] },
  to: readonly Channel[],
): AlertMessage[] =>
  to.map((channel) => ({
    id: `digest-${day}-${channel}`,
    channel,
    content: { type: 'digest', at: at.toISOString(), alerts: alerts.map(toldAlert) },
  }))
