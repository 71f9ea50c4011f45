import { createHmac } from 'node:crypto'
import type { Effects } from '../../core/effects.js'
import type { Webhook } from './alert-settings.js'

interface WebhookPost {
  /** The same for each attempt, so that a receiver can leave repeats out. */
  id: string
  body: string
  timeoutMs: number
}

/**
 * Posts JSON, signed as Standard Webhooks has it (https://www.standardwebhooks.com). It never throws, and
 * follows no redirect, as that could lead into the shop's own network. The answer's body is not read.
 * Resolves to a code that says what went wrong; undefined when a 2xx was answered.
 */
export async function postWebhook(
  { url, secret }: Webhook,
  { id, body, timeoutMs }: WebhookPost,
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
export function failureCode(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined
  return systemCode(error) ?? systemCode(cause) ?? 'UNREACHABLE'
}

function systemCode(error: unknown): string | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return typeof code === 'string' && /^[A-Z0-9_]{1,40}$/.test(code) ? code : undefined
}
