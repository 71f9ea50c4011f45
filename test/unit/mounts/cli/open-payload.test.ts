import type { SanitizedConfig } from 'payload'
import { expect, it } from 'vitest'
import { openPayload } from '../../../../src/mounts/cli/open-payload.js'

it('says which variables a command needs where the store has no secret', async () => {
  await expect(openPayload({ secret: '' } as SanitizedConfig)).rejects.toThrow('PAYLOAD_SECRET')
})
