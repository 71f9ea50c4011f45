import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { partsOf } from '../../support/parts.js'
import { en } from '../../../src/core/translations/en.js'
import { apiOf } from '../../support/api-of.js'
import { basic, exportRequest } from '../../support/shipping-requests.js'
import { anyKind, joinStore, openStore, type TestStore } from '../../support/store.js'

// Payload's cipher never fails: behind another PAYLOAD_SECRET it reads noise.
describe('After PAYLOAD_SECRET was changed', () => {
  let before: TestStore
  let store: TestStore

  beforeEach(async () => {
    before = await openStore(anyKind)
    await save(before, { password: 'x', privateApiKey: 'pk_0123456789' })
    store = await joinStore(anyKind, before.url, {
      config: { secret: 'another secret altogether' },
    })
  })
  afterEach(async () => {
    await store.close()
    await before.close()
  })

  const save = async (
    { payload }: TestStore,
    { privateApiKey, ...shipping }: { password: string; privateApiKey: string },
  ) => {
    await payload.updateGlobal({
      slug: 'shipping-settings',
      data: { username: 'ship', ...shipping },
    })
    await payload.updateGlobal({ slug: 'marketing-settings', data: { privateApiKey } })
  }
  const parts = () => partsOf(store.payload)
  const statusWith = async (given: string) => {
    const headers = { authorization: basic('ship', given) }
    return (await store.handle(exportRequest({}, { headers }))).status
  }

  it('the password and the key count as blank, and the overview says why', async () => {
    const shipping = await parts().shippingSettings.get()
    expect(shipping.credentials.password).toBe('')
    const { open } = await parts().alerts.matters()
    const said = (platform: string) => {
      const texts: Record<string, string> = en
      const matter = open.find(({ row, facts }) => row.of === platform && facts.text)
      return texts[matter?.facts.text ?? '']
    }
    expect(said('ShipStation')).toContain('PAYLOAD_SECRET has changed')
    for (const given of ['x', '']) expect(await statusWith(given)).toBe(401)

    expect((await parts().marketingSettings.get()).privateApiKey).toBe('')
    expect(said('Klaviyo')).toContain('PAYLOAD_SECRET has changed')
  })

  it('the test of the connection says why', async () => {
    const path = '/globals/marketing-settings/test-connection'
    const response = await apiOf(store)(path, { as: 'admin', method: 'POST' })
    expect(await response.json()).toEqual({ is: 'key-unreadable' })
  })

  it('both work once they are entered again, whatever is saved until then', async () => {
    const mask = '••••••••'
    await save(store, { password: mask, privateApiKey: mask })
    expect(await parts().shippingSettings.get()).toMatchObject({ isPasswordUnreadable: true })
    await save(store, { password: 'y', privateApiKey: 'pk_new' })
    expect(await statusWith('y')).toBe(200)
    parts().marketingSettings.forget()
    expect(await parts().marketingSettings.get()).toMatchObject({
      privateApiKey: 'pk_new',
      keyProblem: undefined,
    })
  })
})
