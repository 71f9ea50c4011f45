import type { BasePayload } from 'payload'
import { parseUrl } from '../http/parse-url.js'
import type { AlertMessage, Channel } from './alert-message.js'
import type { AlertSettings } from './alert-settings.js'
import type { createAlertTexts } from './alert-texts.js'
import { failureCode, postWebhook } from './webhook.js'

/** The channels that the settings name. */
export const channelsOf = ({ recipients, webhook }: AlertSettings): Channel[] => [
  ...(recipients.length > 0 ? (['email'] as const) : []),
  ...(webhook === undefined ? [] : (['webhook'] as const)),
]

/** Short, because the sends of a process that does not keep running wait for it. */
const timeoutMs = 10_000

interface SendParts {
  payload: Pick<BasePayload, 'config' | 'sendEmail'>
  texts: () => ReturnType<typeof createAlertTexts>
  now: () => Date
}

/** Sends a message. Resolves to a code that says why it was not sent; undefined when it was. */
export function createSendMessage({ payload, texts, now }: SendParts) {
  // A mail needs the name of a host in its id, and nobody looks it up.
  const host = parseUrl(payload.config.serverURL)?.hostname ?? 'storeconnect.invalid'

  return async (
    { id, channel, content }: AlertMessage,
    { recipients, webhook }: AlertSettings,
  ): Promise<string | undefined> => {
    const { subject, text, html, json } = (await texts())(content)
    if (channel === 'webhook') {
      if (webhook === undefined) return 'CHANNEL_OFF'
      const signal = AbortSignal.timeout(timeoutMs)
      return postWebhook(webhook, { id, body: JSON.stringify(json), at: now(), signal })
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
    return untilTimeout(sent)
  }
}

export type SendMessage = ReturnType<typeof createSendMessage>

/** Mail adapters may wait for ever. One that goes on after the timeout sends the same message id. */
async function untilTimeout(sent: Promise<unknown>): Promise<string | undefined> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<string>((resolve) => {
    timer = setTimeout(() => resolve('TIMEOUT'), timeoutMs)
  })
  const outcome = sent.then(() => undefined, failureCode)
  return Promise.race([outcome, timeout]).finally(() => clearTimeout(timer))
}
