import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { anOrder } from '../support/orders.js'
import { databaseKinds, openStore, type TestStore } from '../support/store.js'

const at = '2026-03-10T12:00:00.000Z'
const wording = 'Yes, send me "news", please'
const page = 'https://shop.example/checkout'

describe.each(databaseKinds)('The export of consents on %s', (kind) => {
  let store: TestStore
  let token: string

  beforeAll(async () => {
    store = await openStore(kind)
    const data = { email: 'admin@example.com', password: 'secret' }
    await store.payload.create({ collection: 'users', data: { ...data, roles: ['admin'] } })
    token = (await store.payload.login({ collection: 'users', data })).token ?? ''
  })
  afterAll(() => store.close())

  const download = async (authorization = `JWT ${token}`) =>
    store.api(
      new Request('https://shop.example/api/storeconnect/consent-proof.csv', {
        headers: { authorization },
      }),
    )
  const save = (changes: object) =>
    store.payload.create({ collection: 'orders', data: anOrder({ ...changes }), depth: 0 })

  it('has a line for each answer, harmless in a spreadsheet', async () => {
    const proof = { wording, version: '1', at, page }
    const order = (await save({
      customerEmail: 'ada@example.com',
      consent: {
        email: { ...proof, given: true },
        sms: { ...proof, given: false, wording: '=HYPERLINK("http://evil.example")' },
      },
    })) as unknown as { id: number; reference: string }
    const unasked = await save({})
    const response = await download()
    expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8')
    expect(response.headers.get('cache-control')).toBe('no-store')
    const lines = new TextDecoder('utf-8', { ignoreBOM: true })
      .decode(await response.arrayBuffer())
      .split('\r\n')
    const named = `"${order.reference}","${order.id}","ada@example.com"`
    const asked = 'Yes, send me ""news"", please'
    expect(lines[0]).toBe(
      '\uFEFF"order","id","email","channel","phone","given","at","version","wording","page"',
    )
    expect(lines.at(-1)).toBe('')
    expect(lines.filter((line) => line.startsWith(named))).toEqual([
      `${named},"email","","yes","${at}","1","${asked}","${page}"`,
      `${named},"sms","","no","${at}","1","'=HYPERLINK(""http://evil.example"")","${page}"`,
    ])
    expect(lines.filter((line) => line.includes(`"${String(unasked.id)}"`))).toEqual([])
  })

  it('is read in pages, each order once', async () => {
    const proof = { wording, version: '1', at, page, given: true }
    for (let count = 0; count < 510; count++) {
      await store.payload.db.create({
        collection: 'orders',
        data: { ...anOrder({ items: [] }), consent: { email: proof } },
      })
    }
    const lines = (await (await download()).text()).split('\r\n')
    const ids = lines.slice(1, -1).map((line) => line.split(',')[1] ?? '')
    expect(new Set(ids).size).toBeGreaterThanOrEqual(510)
    const ofEmail = lines.filter((line) => line.includes('"email"'))
    expect(new Set(ofEmail.slice(1).map((line) => line.split(',')[1])).size).toBe(
      ofEmail.length - 1,
    )
  })

  it('is for admins alone', async () => {
    const data = { email: 'customer@example.com', password: 'secret' }
    await store.payload.create({ collection: 'users', data: { ...data, roles: ['customer'] } })
    const login = await store.payload.login({ collection: 'users', data })
    expect((await download('')).status).toBe(403)
    expect((await download(`JWT ${login.token}`)).status).toBe(403)
  })

  it('is not changed by an admin: nobody writes a proof or a consent through the API', async () => {
    const { id } = (await save({ consent: { email: { given: false, wording } } })) as {
      id: number
    }
    const { docs } = await store.payload.find({ collection: 'users', limit: 1 })
    const patch = (path: string, body: object) =>
      store.api(
        new Request(`https://shop.example/api${path}`, {
          method: 'PATCH',
          headers: { authorization: `JWT ${token}`, 'content-type': 'application/json' },
          body: JSON.stringify(body),
        }),
      )
    await patch(`/orders/${id}`, { consent: { email: { given: true, wording: 'Forged' } } })
    const order = await store.payload.findByID({ collection: 'orders', id, depth: 0 })
    expect(order).toMatchObject({ consent: { email: { given: false, wording } } })
    const userId = Number(docs[0]?.id)
    await patch(`/users/${userId}`, { emailConsent: { status: 'subscribed' } })
    const user = await store.payload.findByID({ collection: 'users', id: userId })
    expect(user).toMatchObject({ emailConsent: { status: 'never' } })
  })
})
