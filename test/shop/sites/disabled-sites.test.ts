import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { apiOf, type Api, type Role } from '../../support/api-of.js'
import { anyKind, openStore, type TestStore } from '../../support/store.js'

describe('A site that is switched off', () => {
  let store: TestStore
  let closed: number
  let api: Api

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
    api = apiOf(store)
  })
  afterAll(() => store.close())

  const ask = async (path: string, as?: Role) => {
    const response = await api(path, { as })
    return { status: response.status, body: (await response.json()) as Record<string, unknown> }
  }
  const handles = async (role: Role | undefined, query = '') => {
    const { body } = await ask(`/sites?sort=handle${query}`, role)
    return (body.docs as { handle: string }[]).map(({ handle }) => handle)
  }

  it.each([undefined, 'customer'] as const)('is not shown to a %j user', async (role) => {
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
