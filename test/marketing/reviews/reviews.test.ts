import { beforeAll, describe, expect, it } from 'vitest'
import { exampleEventsPath } from '../../../src/marketing/admin-paths.js'
import { apiOf } from '../../support/api-of.js'
import { createProduct } from '../../support/products.js'
import { databaseKinds } from '../../support/store.js'
import { hashOf } from '../../../src/core/signing.js'
import { reviewsShop } from './reviews-shop.js'

const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

type Data = Record<string, unknown>

describe.each(databaseKinds)('A review (%s)', (kind) => {
  let map: ((document: Data) => Data | false) | undefined
  const shop = reviewsShop(kind, { map: (document) => map?.(document) ?? {} })
  let tea: number | string
  beforeAll(async () => {
    tea = await createProduct(shop.payload, { categories: ['Tea'], brand: 'Kettle' })
  })

  const submit = async (data: Data, context: Data = {}) => {
    shop.move(1_000)
    const created = { collection: 'reviews', data: { product: tea, ...data }, context }
    return (await shop.payload.create(created)) as { id: number | string; createdAt: string }
  }
  const signUp = async (email: string, data: Data = { _verified: true }) =>
    (
      await shop.payload.create({
        collection: 'users',
        data: { email, password: 'a long password', ...data },
        disableVerificationEmail: true,
      })
    ).id
  const sent = async () =>
    (await shop.reported()).flatMap(({ message }) =>
      message.kind === 'event' ? [{ profile: message.profile, ...message.event }] : [],
    )
  const emails = async () => (await sent()).map(({ profile }) => profile.email)
  /** Sends what is past of a year, as a merchant does. */
  const pastRun = async (year: number) => {
    const { histories, historyWork } = shop.parts
    const period = { from: `${year}-01-01`, to: `${year + 1}-01-01` }
    await histories.start(period, { startedBy: undefined })
    for (;;) {
      const stored = await historyWork.current()
      if (stored === undefined) return histories.latest()
      await historyWork.step(stored)
    }
  }

  it('is Submitted Review, once, with what was written and of which product', async () => {
    const customer = await signUp('ada@example.com')
    const image = await shop.payload.create({
      collection: 'pictures' as never,
      data: {},
      file: { name: 'tea.png', data: pixel, mimetype: 'image/png', size: pixel.length },
    })
    const { id, createdAt } = await submit({
      customer,
      email: 'other@example.com',
      name: 'Ada',
      rating: 5,
      title: 'Fresh',
      text: 'As in\nspring.',
      images: [(image as { id: number }).id],
      status: 'pending',
      verified: false,
    })
    const [event, ...others] = await sent()
    expect(others).toEqual([])
    expect(event).toEqual({
      profile: { email: 'ada@example.com', externalId: String(customer) },
      name: 'Submitted Review',
      uniqueId: hashOf(['review', id, createdAt]),
      time: new Date(shop.now() - 16_000).toISOString(),
      properties: {
        review_id: id,
        review_rating: 5,
        review_title: 'Fresh',
        review_content: 'As in spring.',
        review_author: 'Ada',
        review_images: [expect.stringMatching(/^https:\/\/shop\.example\/.*tea.*\.png$/)],
        review_has_media: true,
        review_status: 'pending',
        review_verified: false,
        ProductID: tea,
        SKU: 'TEA-1',
        ProductName: 'Green tea',
        Categories: ['Tea'],
        Brand: 'Kettle',
      },
    })
    await shop.deliver()
    expect(shop.standIn.state.events).toMatchObject([{ metric: 'Submitted Review' }])

    // Neither a change nor a new process sends it again, whether or not its send is still there.
    await shop.update('reviews', id, { status: 'approved' })
    await shop.loseSends()
    await shop.update('reviews', id, { text: 'Even fresher.' })
    await shop.restartFeeds()
    expect(await sent()).toEqual([])
  })

  it('is sent also when it has the id of one that was deleted', async () => {
    const titles = ['The first', 'The second']
    for (const title of titles) {
      const { id } = await submit({ email: 'grace@example.com', title })
      await sent()
      await shop.deliver()
      await shop.payload.delete({ collection: 'reviews', id })
    }
    const { events } = shop.standIn.state
    expect(events.map(({ properties }) => properties.review_title)).toEqual(titles)
  })

  it('is sent once when a process ends between the event and its note', async () => {
    const { id } = await submit({ email: 'grace@example.com', rating: 4 })
    const before = await sent()
    const data = { sentReview: 'pending', updatedAt: new Date(shop.now()).toISOString() }
    await shop.payload.db.updateOne({ collection: 'reviews', id, data })
    await shop.restartFeeds()
    expect(await sent()).toEqual(before)
    expect(before).toHaveLength(1)
  })

  it('is of who wrote it: a guest by their email, and nobody by one that is only typed beside an account', async () => {
    const open = await signUp('eve@example.com', {})
    const admin = await signUp('boss@example.com', { _verified: true, roles: ['admin'] })
    await submit({ email: 'guest@example.com' })
    await submit({ customer: open, email: 'victim@example.com' })
    await submit({ customer: admin, email: 'boss@example.com' })
    await submit({ email: '' })
    await submit({})
    expect(await emails()).toEqual(['guest@example.com'])
  })

  it.each([
    ['is deleted', (id: number | string) => shop.payload.delete({ collection: 'users', id })],
    [
      'is erased',
      () => shop.parts.erasures.erase('gone@example.com', { orders: 'keep', door: 'command' }),
    ],
  ] as const)('is no guest’s once the account of its author %s', async (_, remove) => {
    map = ({ status }) => (status === 'approved' ? {} : false)
    const customer = await signUp('gone@example.com')
    const { id } = await submit({ customer, email: 'typed@example.com', rating: 1 })
    const kept = await submit({ email: 'typed@example.com', rating: 5 })
    expect(await emails()).toEqual([])
    await remove(customer)
    await shop.update('reviews', id, { status: 'approved' })
    await shop.update('reviews', kept.id, { status: 'approved' })
    expect((await sent()).map(({ properties }) => properties.review_id)).toEqual([kept.id])
    expect(await pastRun(2026)).toMatchObject({ events: 0 })
    map = undefined
  })

  it('is not sent from an import, from the trash, or when it was there before', async () => {
    await submit({ email: 'import@example.com' }, { storeconnect: 'import' })
    await submit({ email: 'trash@example.com', deletedAt: new Date(shop.now()).toISOString() })
    const { id } = await submit({ email: 'before@example.com' })
    await shop.payload.db.updateOne({ collection: 'reviews', id, data: { sentReview: null } })
    await shop.update('reviews', id, { rating: 3 })
    expect(await emails()).toEqual([])
  })

  it('is not sent while the settings switch its event off, nor later', async () => {
    const switched = (submittedReview: boolean) =>
      shop.payload.updateGlobal({
        slug: 'marketing-settings' as never,
        data: { builtInEvents: { submittedReview } },
      })
    await switched(false)
    const { id } = await submit({ email: 'off@example.com' })
    expect(await emails()).toEqual([])
    await switched(true)
    await shop.update('reviews', id, { rating: 2 })
    await shop.restartFeeds()
    expect(await emails()).toEqual([])
  })

  it('is as the store maps it, waits while that says false, and is tried again when it throws', async () => {
    map = () => false
    const { id } = await submit({ email: 'ada@example.com', rating: 8 })
    expect(await sent()).toEqual([])
    map = () => {
      throw new Error('No scale')
    }
    await shop.update('reviews', id, { rating: 9 })
    expect(await sent()).toEqual([])
    expect(shop.log.text()).toContain('The event of a review failed')
    map = ({ rating }) => ({ rating: Number(rating) / 2, isVerified: true })
    await shop.restartFeeds()
    expect((await sent()).map(({ properties }) => properties)).toMatchObject([
      { review_rating: 4.5, review_verified: true },
    ])
    map = undefined
  })

  it('of a guest who is erased while it waits is not sent when it no longer waits', async () => {
    map = () => false
    const { id } = await submit({ email: 'erased@example.com' })
    expect(await sent()).toEqual([])
    await shop.parts.erasures.erase('erased@example.com', { orders: 'keep', door: 'command' })
    map = undefined
    await shop.update('reviews', id, { text: 'Approved.' })
    expect(await sent()).toEqual([])
  })

  it('of the past is sent by the history, with its own time, but not of somebody who was erased', async () => {
    const past = { sentReview: null, createdAt: '2025-03-04T05:06:07.000Z' }
    const ofPast = async (email: string) => {
      const { id } = await submit({ email, rating: 5 })
      await shop.payload.db.updateOne({ collection: 'reviews', id, data: past })
      return id
    }
    const ids = [await ofPast('ada@example.com'), await ofPast('grace@example.com')]
    await ofPast('erased@example.com')
    await submit({ email: 'now@example.com' })
    await shop.loseSends()
    await shop.parts.erasures.erase('erased@example.com', { orders: 'keep', door: 'command' })
    expect(await pastRun(2025)).toMatchObject({ state: 'done', total: 0, done: 0, events: 2 })
    const events = await sent()
    expect(events.map(({ properties }) => properties.review_id)).toEqual(ids)
    expect(events.map(({ profile }) => profile.email)).toEqual([
      'ada@example.com',
      'grace@example.com',
    ])
    expect(events).toMatchObject([
      { name: 'Submitted Review', time: past.createdAt, backfill: true },
      { name: 'Submitted Review', time: past.createdAt, backfill: true },
    ])
    // A second run has nothing to add.
    expect(await pastRun(2025)).toMatchObject({ events: 0 })
  })

  it('has an example among those of the metrics, and so has what asks for it', async () => {
    await apiOf(shop)(exampleEventsPath, { as: 'admin', body: {} })
    const names = (await sent()).map(({ name }) => name)
    expect(names).toEqual(expect.arrayContaining(['Submitted Review', 'Ready to Review']))
  })

  it('has a note that no API writes or reads', async () => {
    const admin = { id: 1, collection: 'users', email: 'a@example.com', roles: ['admin'] }
    const asked = { collection: 'reviews', overrideAccess: false, user: admin }
    const data = { email: 'ada@example.com', sentReview: 'sent' }
    const created = (await shop.payload.create({ ...asked, data })) as Data
    expect(created).not.toHaveProperty('sentReview')
    expect(await emails()).toEqual(['ada@example.com'])
  })
})
