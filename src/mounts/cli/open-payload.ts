import { getPayload, type BasePayload, type SanitizedConfig } from 'payload'
import { waitForLocks } from '../../core/database/renew-busy-connection.js'

/** For a command: it must not run the store's own `onInit`, and the shop may be writing to the same file. */
export async function openPayload(config: SanitizedConfig): Promise<BasePayload> {
  if (config.secret === '') {
    throw new Error(
      'The store has no secret. Run the command with the variables that the shop has, such as PAYLOAD_SECRET.',
    )
  }
  const payload = await getPayload({ config, disableOnInit: true })
  await waitForLocks(payload)
  return payload
}
