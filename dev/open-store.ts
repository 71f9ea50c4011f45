import { getPayload, type Payload } from 'payload'

/** Boots Payload with the demo's config. Call `applyEnvironment` first. */
export async function openStore(options: { cron?: boolean } = {}): Promise<Payload> {
  const { default: config } = await import('./payload.config.ts')
  return getPayload({ config, ...options })
}
