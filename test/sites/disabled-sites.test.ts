import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { anyKind, openStore, type TestStore } from '../support/store.js'

const password = 'green tea, no sugar'

describe('A site that is switched off', () => {
  let store: TestStore
  let closed: number
  const tokens: Record<string, string> = {}

  beforeAll(async () => {
    store = await openStore(anyKind)
    const { payload } = store
    const create = async (handle: string, data: object) => {
      const site = { handle, name: handle, baseUrl: `https://${handle}.example`, ...data }
      return Number((await payload.create({ collection: 'sites', data: site })).id)
    }
    await create('open', { primary: true })
    const old = await create('old', {})
    // From before there was such a switch.
    await payload.db.updateOne({ collection: 'sites', id: old, data: { enabled: null } })
    closed = await create('closed', { enabled: false })
    for (const role of ['customer', 'admin']) {
      const data = { email: `${role}@shop.example`, password }
      await payload.create({ collection: 'users', data: { ...data, roles: [role] } })
      tokens[role] = (await payload.login({ collection: 'users', data })).token ?? ''
    }
  })
  afterAll(() => store.close())

  const ask = async (path: string, role: string) => {
    const headers = role === '' ? {} : { authorization: `JWT ${tokens[role]}` }
    const response = await store.api(new Request(`https://shop.example/api${path}`, { headers }))
    return { status: response.status, body: (await response.json()) as Record<string, unknown> }
  }
  const handles = async (role: string, query = '') => {
    const { body } = await ask(`/sites?sort=handle${query}`, role)
    return (body.docs as { handle: string }[]).map(({ handle }) => handle)
  }

  it.each(['', 'customer'])('is not shown to a %j user', async (role) => {
    expect(await handles(role)).toEqual(['old', 'open'])
    expect(await handles(role, '&where[enabled][equals]=false')).toEqual([])
    expect((await ask('/sites/count', role)).body).toEqual({ totalDocs: 2 })
    expect((await ask(`/sites/${closed}`, role)).status).toBe(404)
  })

  it('is shown to an admin', async () => {
    expect(await handles('admin')).toEqual(['closed', 'old', 'open'])
    expect((await ask(`/sites/${closed}`, 'admin')).status).toBe(200)
  })
})
