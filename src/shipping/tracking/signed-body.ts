import { verify } from 'node:crypto'
import { Problem } from '../../core/errors.js'
import { invalidParameter } from '../../core/http/parameter-tree.js'
import { readBody, requireMethod, type ActionRequest } from '../../core/http/request-body.js'
import type { SigningKeys } from './signing-keys.js'

const names = {
  keyId: 'x-shipengine-rsa-sha256-key-id',
  signature: 'x-shipengine-rsa-sha256-signature',
  timestamp: 'x-shipengine-timestamp',
} as const

/** No header of ShipStation is longer: the signature of a key with 8192 bits has 1368 characters. */
const headerLength = 1_500

const mostAwayMs = 5 * 60_000

/**
 * Reads a body that ShipStation has signed, and when (https://docs.shipstation.com/apis/docs/guides/webhooks-validation).
 * Who does not sign learns nothing of the URL. What costs most comes last: the key, the body, its signature.
 *
 * @throws {Problem} ACTION_NOT_FOUND, METHOD_NOT_ALLOWED, PARAMETER_INVALID, KEYS_UNREACHABLE, SIGNATURE_REFUSED,
 *   BODY_TOO_LARGE.
 */
export async function readSignedBody(
  request: ActionRequest,
  { keyOf, now }: { keyOf: SigningKeys; now: Date },
): Promise<{ body: Buffer; sentAt: Date }> {
  const header = (name: keyof typeof names) => {
    const value = request.headers.get(names[name]) ?? ''
    if (value === '' || value.length > headerLength) throw new Problem('ACTION_NOT_FOUND')
    return value
  }
  const [keyId, signature, timestamp] = [header('keyId'), header('signature'), header('timestamp')]
  requireMethod(request, ['POST'])

  const sentAt = new Date(timestamp)
  const isNow = Math.abs(now.getTime() - sentAt.getTime()) <= mostAwayMs
  if (!isNow) throw invalidParameter(`The header "${names.timestamp}" is no time of now.`)

  const key = await keyOf(keyId)
  if (key === undefined) throw new Problem('SIGNATURE_REFUSED', { log: { reason: 'unknown key' } })
  const body = await readBody(request)
  const signed = Buffer.concat([Buffer.from(`${timestamp}.`), body])
  if (!verify('sha256', signed, key, Buffer.from(signature, 'base64'))) {
    throw new Problem('SIGNATURE_REFUSED', { log: { reason: 'wrong signature' } })
  }
  return { body, sentAt }
}
