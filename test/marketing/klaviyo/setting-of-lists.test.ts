import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { demoLists } from '../../../dev/klaviyo/lists.ts'
import { serveKlaviyoStandIn, type ServedStandIn } from '../../../dev/klaviyo/serve-stand-in.ts'
import { demoApiKey } from '../../../dev/klaviyo/stand-in.ts'
import { apiOf } from '../../support/api-of.js'
import { anyKind, openStore, type TestStore } from '../../support/store.js'

describe('A list in the marketing settings', () => {
  let klaviyo: ServedStandIn
  let store: TestStore
  let save: (settings: object) => Promise<Response>

  beforeAll(async () => {
    klaviyo = await serveKlaviyoStandIn({ port: 0 })
    const settings = { privateApiKey: demoApiKey, allowedLists: ['OLD123'] }
    store = await openStore(anyKind, {
      options: { marketing: { apiUrl: klaviyo.origin, settings } },
    })
    const api = apiOf(store)
    save = (body) => api('/globals/marketing-settings', { as: 'admin', body })
  })
  afterAll(async () => {
    await store.close()
    await klaviyo.close()
  })

  beforeEach(async () => {
    await save({ privateApiKey: demoApiKey, consentList: '', allowedLists: [] })
  })

  it('is refused when Klaviyo does not have it', async () => {
    const [list] = demoLists
    expect((await save({ consentList: list?.id, allowedLists: [list?.id] })).status).toBe(200)
    for (const wrong of [{ consentList: 'NONE00' }, { allowedLists: [list?.id, 'NONE00'] }]) {
      const answer = await save(wrong)
      expect(answer.status).toBe(400)
      expect(await answer.json()).toMatchObject({
        errors: [{ data: { errors: [{ path: Object.keys(wrong)[0] }] } }],
      })
    }
  })

  it('stays when Klaviyo no longer has it, and is taken with the key of another account', async () => {
    const { payload } = store
    await payload.db.updateGlobal({ slug: 'marketing-settings', data: { consentList: 'GONE00' } })
    expect((await save({ consentList: 'GONE00', eventPrefix: 'Shop' })).status).toBe(200)
    const other = { consentList: 'THEIRS', privateApiKey: 'pk_of_another_account' }
    expect((await save(other)).status).toBe(200)
  })
})
