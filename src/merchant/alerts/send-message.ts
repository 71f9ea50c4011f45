import type { Effects } from '../../core/effects.js'
import { parseUrl } from '../../core/http/parse-url.js'
import type { Shop } from '../../core/shop.js'
import type { Message } from './alert-line.js'
import type { Channel } from './alert.js'
import type { AlertSettings } from './alert-settings.js'
import type { createAlertTexts, MessageContent } from './alert-texts.js'
import { failureCode, postWebhook } from './webhook.js'

/** The channels that the settings name. */
export const channelsOf = ({ recipients, webhook }: AlertSettings): Channel[] => [
  ...(recipients.length > 0 ? (['email'] as const) : []),
  ...(webhook === undefined ? [] : (['webhook'] as const)),
]

/** What a message says. One that tells a beginning is not about what came after it. */
export function contentOf({ alerts: [first, ...others], told, since }: Message): MessageContent {
  if (first === undefined) return { type: 'test', at: since }
  if (told === undefined) return { type: 'digest', at: since, alerts: [first, ...others] }
  const alert = told.holds ? { ...first, endedAt: undefined, over: undefined } : first
  const at = (told.type === 'ended' && first.endedAt?.toISOString()) || told.at
  return { ...told, at, alert }
}

interface Content extends Pick<Message, 'id' | 'channel'> {
  content: MessageContent
}

/** Short, because the sends of a process that does not keep running wait for it. */
const timeoutMs = 10_000

/** Sends a message. Resolves to a code that says why it was not sent; undefined when it was. */
export function createSendMessage(
  { payload, effects }: Shop,
  texts: () => ReturnType<typeof createAlertTexts>,
) {
  // A mail needs the name of a host in its id, and nobody looks it up.
  const host = parseUrl(payload.config.serverURL)?.hostname ?? 'storeconnect.invalid'

  return async (
    { id, channel, content }: Content,
    { recipients, webhook }: AlertSettings,
  ): Promise<string | undefined> => {
    const { subject, text, html, json } = (await texts())(content)
    if (channel === 'webhook') {
      if (webhook === undefined) return 'CHANNEL_OFF'
      return postWebhook(webhook, { id, body: JSON.stringify(json), timeoutMs }, effects)
    }
    // An adapter may throw before it returns a promise.
    const sent = Promise.resolve().then(() =>
      payload.sendEmail({
        to: [...recipients],
        subject,
        text,
        html,
        messageId: `<${id}@${host}>`,
        headers: { 'Auto-Submitted': 'auto-generated' },
      }),
    )
    return untilTimeout(sent, effects)
  }
}

export type SendMessage = ReturnType<typeof createSendMessage>

/** Mail adapters may wait for ever. One that goes on after the timeout sends the same message id. */
const untilTimeout = (sent: Promise<unknown>, { after }: Effects): Promise<string | undefined> =>
  new Promise((resolve) => {
    const cancel = after(timeoutMs, () => resolve('TIMEOUT'))
    void sent
      .then(() => undefined, failureCode)
      .then((failure) => {
        cancel()
        resolve(failure)
      })
  })
