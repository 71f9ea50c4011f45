import net, { type AddressInfo } from 'node:net'
import { describe, expect, it } from 'vitest'
import type { Variables } from '../../../dev/environment.ts'
import { serveBesideStore } from '../../../dev/klaviyo/beside-store.ts'
import { demoApiKey, demoPublicKey } from '../../../dev/klaviyo/stand-in.ts'

const host = '127.0.0.1'

/** A port that is taken for as long as the work lasts. */
async function withTakenPort(work: (port: number) => Promise<void>): Promise<void> {
  const server = net.createServer()
  await new Promise<void>((resolve) => server.listen(0, host, () => resolve()))
  await work((server.address() as AddressInfo).port)
  await new Promise((resolve) => server.close(resolve))
}

describe('The stand-in beside the demo store', () => {
  it('points the store at itself, with its own key even where there is another', async () => {
    const env: Variables = { KLAVIYO_API_KEY: 'pk_of_a_real_account' }
    const served = await serveBesideStore({ host, port: 0 }, env)
    expect(served?.origin).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
    expect(env).toEqual({
      KLAVIYO_URL: served?.origin,
      KLAVIYO_API_KEY: demoApiKey,
      KLAVIYO_PUBLIC_KEY: demoPublicKey,
    })
    await served?.close()
  })

  it('stays away when the store has its Klaviyo', async () => {
    const env = { KLAVIYO_URL: 'https://a.klaviyo.com', KLAVIYO_API_KEY: 'pk_real' }
    expect(await serveBesideStore({ host, port: 3000 }, env)).toBeUndefined()
    expect(env.KLAVIYO_API_KEY).toBe('pk_real')
  })

  it('has the port ten above that of the store, and says so when it is taken', () =>
    withTakenPort(async (port) => {
      const env: Variables = {}
      await expect(serveBesideStore({ host, port: port - 10 }, env)).rejects.toThrow(
        `Port ${port} for the Klaviyo stand-in is taken. Choose another one: KLAVIYO_PORT=${port + 1} npm start`,
      )
      expect(env).toEqual({})
    }))

  it.each(['web', '-1', '65536', '30.5'])('refuses %s as a port', async (KLAVIYO_PORT) => {
    await expect(serveBesideStore({ host, port: 0 }, { KLAVIYO_PORT })).rejects.toThrow(TypeError)
  })
})
