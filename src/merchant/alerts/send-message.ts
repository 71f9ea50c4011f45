import { createHmac } from 'node:crypto'
import type { Effects } from '../../core/effects.js'
import { parseUrl } from '../../core/http/public-origin.js'
import type { Shop } from '../../core/shop.js'
import type { Message } from './channel-state.js'
import type { Channel } from './alert.js'
import type { AlertSettings, Webhook } from './alert-settings.js'
import type { createAlertTexts, MessageContent } from './alert-texts.js'

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
    { id, channel, content }: Pick<Message, 'id' | 'channel'> & { content: MessageContent },
    { recipients, webhook }: AlertSettings,
  ): Promise<string | undefined> => {
    const { subject, text, html, json } = (await texts())(content)
    if (channel === 'webhook') {
      if (webhook === undefined) return 'CHANNEL_OFF'
      return postWebhook(webhook, { id, body: JSON.stringify(json) }, effects)
    }
    // An adapter may throw before it returns a promise.
    const sent = Promise.resolve().then(() =>
      payload.sendEmail({
        ...{ to: [...recipients], subject, text, html },
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

/**
 * Posts JSON, signed as Standard Webhooks has it (https://www.standardwebhooks.com). The `id` is the same for each
 * attempt, so that a receiver can leave repeats out. It follows no redirect, which could lead into the shop's own
 * network. Resolves to a code that says what went wrong; undefined when a 2xx was answered.
 */
async function postWebhook(
  { url, secret }: Webhook,
  { id, body }: { id: string; body: string },
  { now, deadline, fetch }: Effects,
): Promise<string | undefined> {
  const timestamp = String(Math.floor(now().getTime() / 1000))
  const signal = deadline(timeoutMs)
  try {
    const response = await fetch(url, {
      method: 'POST',
      redirect: 'manual',
      signal,
      headers: {
        'content-type': 'application/json',
        'user-agent': 'payload-storeconnect',
        'webhook-id': id,
        'webhook-timestamp': timestamp,
        'webhook-signature': signature(secret, { id, timestamp, body }),
      },
      body,
    })
    await response.body?.cancel()
    return response.ok ? undefined : `HTTP_${response.status}`
  } catch (error) {
    return signal.aborted ? 'TIMEOUT' : failureCode(error)
  }
}

/** `v1,` and the HMAC-SHA256 of `id.timestamp.body` in base64. */
export function signature(
  secret: string,
  { id, timestamp, body }: { id: string; timestamp: string; body: string },
): string {
  const mac = createHmac('sha256', keyOf(secret)).update(`${id}.${timestamp}.${body}`)
  return `v1,${mac.digest('base64')}`
}

const prefix = 'whsec_'

/** Standard Webhooks writes a secret as `whsec_` and base64. Any other text is the key itself. */
const keyOf = (secret: string): Buffer =>
  secret.startsWith(prefix)
    ? Buffer.from(secret.slice(prefix.length), 'base64')
    : Buffer.from(secret, 'utf8')

/** Only the system's code: the message of an error may hold an address or a password. */
function failureCode(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined
  return systemCode(error) ?? systemCode(cause) ?? 'UNREACHABLE'
}

function systemCode(error: unknown): string | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return typeof code === 'string' && /^[A-Z0-9_]{1,40}$/.test(code) ? code : undefined
}
