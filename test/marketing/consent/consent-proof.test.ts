import { describe, expect, it } from 'vitest'
import { apiOf } from '../../support/api-of.js'
import { anOrder } from '../../support/orders.js'
import { sharedStore } from '../../support/shared-store.js'
import { databaseKinds } from '../../support/store.js'

const at = '2026-03-10T12:00:00.000Z'
const wording = 'Yes, send me "news", please'
const page = 'https://shop.example/checkout'

describe.each(databaseKinds)('The export of consents on %s', (kind) => {
  const store = sharedStore(kind)
  const api = apiOf(store)

  const proofs = '/storeconnect/consent-proof.csv'
  const download = () => api(proofs, { as: 'admin' })
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
    const unasked = (await save({})) as unknown as { reference: string }
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
    expect(lines.filter((line) => line.includes(unasked.reference))).toEqual([])
  })

  const linesAbout = async (text: string) =>
    (await (await download()).text()).split('\r\n').filter((line) => line.includes(text))
  const proofOf = (more: object = {}) => ({
    email: { wording, version: '1', at, page, given: true, ...more },
  })
  const erase = (email: string, orders: string) =>
    api('/marketing-erasures/erase', { as: 'admin', body: { email, orders } })

  it('keeps the proof of an order that is in the trash, and of one that is deleted', async () => {
    const customerEmail = 'grace@example.com'
    const orders = await Promise.all(
      [1, 2, 3].map(() => save({ customerEmail, consent: proofOf() })),
    )
    const [first, ...others] = orders.map(({ id }) => id)
    const before = await linesAbout(customerEmail)
    expect(before).toHaveLength(3)
    const deletedAt = new Date().toISOString()
    await store.payload.update({ collection: 'orders', id: Number(first), data: { deletedAt } })
    expect(await linesAbout(customerEmail)).toEqual(before)
    const remove = (query: string) => api(`/orders${query}`, { as: 'admin', method: 'DELETE' })
    expect((await remove(`/${first}?trash=true`)).status).toBe(200)
    expect((await remove(`?where[id][in]=${others.join(',')}`)).status).toBe(200)
    const { totalDocs } = await store.payload.count({
      collection: 'orders',
      where: { customerEmail: { equals: customerEmail } },
      trash: true,
    })
    expect(totalDocs).toBe(0)
    expect((await linesAbout(customerEmail)).sort()).toEqual(before.sort())
  })

  it('has one line for an order whose deletion was refused', async () => {
    const customerEmail = 'refused@example.com'
    const { id } = await save({ customerEmail, consent: proofOf() })
    const { hooks } = store.payload.collections.orders?.config ?? {}
    const refuse = () => {
      throw new Error('Orders are kept.')
    }
    hooks?.afterDelete.push(refuse)
    await expect(store.payload.delete({ collection: 'orders', id })).rejects.toThrow('are kept')
    hooks?.afterDelete.pop()
    expect(await linesAbout(customerEmail)).toHaveLength(1)
  })

  it.each(['anonymise', 'keep'])(
    'has nothing of whoever was erased, whose orders they %s, deleted ones too',
    async (orders) => {
      const customerEmail = `${orders}@example.com`
      await save({ customerEmail, consent: proofOf() })
      const gone = await save({ customerEmail, consent: proofOf() })
      await store.payload.delete({ collection: 'orders', id: gone.id })
      expect(await linesAbout(customerEmail)).toHaveLength(2)
      expect((await erase(customerEmail, orders)).status).toBe(201)
      expect(await linesAbout(customerEmail)).toEqual([])
      const left = await store.payload.find({ collection: 'marketing-consent-proofs' })
      expect(JSON.stringify(left.docs)).not.toContain(customerEmail)
    },
  )

  it.each([
    ['+44 7400 123456', '"+447400123456"'],
    ['+49-30 1234567', '"+49301234567"'],
    ['07400 123456', '"07400 123456"'],
    ['+1+1', `"'+1+1"`],
    ['-07400 123456', `"'-07400 123456"`],
    ['x;=1+1;', `"x;'=1+1;"`],
    ['x\t@SUM(1)', `"x\t'@SUM(1)"`],
    ['x, =1', `"x, '=1"`],
    ['x =1+1 y', `"x '=1+1 y"`],
    ['x "=1+1 y', `"x '""=1+1 y"`],
    ['x;"=1+1;', `"x;'""=1+1;"`],
    ['x|-1', `"x|'-1"`],
    ['x\n＝1', `"x\n'＝1"`],
    ['\t1', `"'\t1"`],
  ])('writes the phone %j as %s', async (phone, written) => {
    const sms = { wording, version: '1', at, page, given: true, phone }
    const { id } = await save({ consent: { sms } })
    const text = await (await download()).text()
    expect(text).toContain(`"${String(id)}","ada@example.com","sms",${written},"yes"`)
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
    // SQLite gives the id of a deleted order, whose proof is kept, to another one.
    const nameOf = (line: string) => line.split(',').slice(0, 2).join()
    expect(new Set(ofEmail.slice(1).map(nameOf)).size).toBe(ofEmail.length - 1)
  })

  it('is for admins alone', async () => {
    expect((await api(proofs)).status).toBe(403)
    expect((await api(proofs, { as: 'customer' })).status).toBe(403)
  })

  it('is not changed by an admin: nobody writes a proof or a consent through the API', async () => {
    const { id } = (await save({ consent: { email: { given: false, wording } } })) as {
      id: number
    }
    const data = { email: 'grace@example.com', password: 'correct horse battery' }
    const { id: userId } = await store.payload.create({ collection: 'users', data })
    const patch = (path: string, body: object) => api(path, { as: 'admin', method: 'PATCH', body })
    await patch(`/orders/${id}`, { consent: { email: { given: true, wording: 'Forged' } } })
    const order = await store.payload.findByID({ collection: 'orders', id, depth: 0 })
    expect(order).toMatchObject({ consent: { email: { given: false, wording } } })
    await patch(`/users/${userId}`, { emailConsent: { status: 'subscribed' } })
    const user = await store.payload.findByID({ collection: 'users', id: userId })
    expect(user).toMatchObject({ emailConsent: { status: 'never' } })
  })
})
