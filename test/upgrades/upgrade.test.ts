import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { demoApiKey } from '../../dev/klaviyo/stand-in.ts'
import { databaseKinds } from '../support/store.js'
import { editionsToUpgradeFrom } from './frozen-shop.js'
import { shipStationRequest, visitorWith } from './shop/visitor.js'
import { upgradeShop, type UpgradedShop } from './upgraded-shop.js'

const changelog = readFileSync(join(import.meta.dirname, '../../CHANGELOG.md'), 'utf8')

/** The sentences of a skipped order and of an alert, which are made of codes when they are read. */
const todaysSentences = ['reasons', 'condition']

/** They hold nothing for longer than a pull, a minute or a process. */
const shortLived = ['marketing-calls', 'marketing-lease', 'request-counts', 'shipping-lists']

/** What does not outlast the upgrade from an edition, as the changelog and docs/upgrading.md say. */
interface Losses {
  /** Payload asks what was renamed. */
  isAsked?: boolean
  /** There are no alerts, no unsubscribes and no consents at the checkout yet. */
  isBeforeAlerts?: boolean
  /** The password and the API key are to be entered again. */
  secrets?: boolean
  /** Visitors get a new session. */
  sessions?: boolean
  /** By the former name. */
  renamed?: Record<string, string>
  /** Fields that only the delivery of that edition used, or that are shown in other words. */
  fields?: string[]
  /** Filled anew by the next pull. */
  collections?: string[]
}

const lossesFrom: Record<string, Losses> = {
  '0.1.0': {
    isAsked: true,
    isBeforeAlerts: true,
    secrets: true,
    sessions: true,
    renamed: {
      toldProfile: 'sentProfile',
      toldState: 'sentState',
      foldMinutes: 'dedupeMinutes',
    },
    fields: [
      'after',
      'alone',
      'isolation',
      'job',
      'knownUntil',
      'lane',
      'leaseUntil',
      'profile',
      'token',
    ],
    collections: ['shipping-omissions'],
  },
  '0.2.0': {
    isAsked: true,
    fields: ['job', 'noted'],
    collections: ['storeconnect-alert-messages'],
  },
}

describe.each(
  editionsToUpgradeFrom(changelog).flatMap((edition) =>
    databaseKinds.map((kind) => [edition, kind] as const),
  ),
)('A shop that comes from %s, on %s', (edition, kind) => {
  const losses = lossesFrom[edition] ?? {}
  let shop: UpgradedShop
  let firstPull: Response
  let callsBefore: number

  beforeAll(async () => {
    shop = await upgradeShop(edition, kind)
    callsBefore = shop.klaviyo.standIn.state.calls.length
    firstPull = await shop.handle(shipStationRequest({ action: 'export' }))
    if (!losses.secrets) return
    const { payload } = shop
    await payload.updateGlobal({ slug: 'shipping-settings', data: { password: 'secret' } })
    const key = { privateApiKey: demoApiKey }
    await payload.updateGlobal({ slug: 'marketing-settings', data: key })
  })
  afterAll(() => shop.close())

  it('is asked only what docs/upgrading.md answers', () => {
    expect(shop.questions.length > 0).toBe(losses.isAsked ?? false)
  })

  it('finds every document again', () => {
    const { documents } = shop.frozen.facts
    expect(documents.orders).toHaveLength(3)
    expect(documents.carts).toHaveLength(2)
    const ended = [...shortLived, ...(losses.collections ?? [])]
    for (const [collection, before] of Object.entries(documents)) {
      if (ended.includes(collection)) continue
      const now = shop.found.documents[collection]
      expect.soft(now, collection).toMatchObject(before.map(asNow))
    }
  })

  it('keeps its settings', () => {
    for (const [slug, before] of Object.entries(shop.frozen.facts.settings)) {
      expect.soft(shop.found.settings[slug], slug).toMatchObject(asNow(before))
    }
  })

  it('lets ShipStation in, once the password is there', () => {
    expect(firstPull.status).toBe(losses.secrets ? 401 : 200)
  })

  it('exports the same orders in the same words, and skips the same', async () => {
    const { window, pages } = shop.frozen.facts.exported
    for (const { page, xml } of pages) {
      const pulled = await shop.handle(shipStationRequest({ action: 'export', ...window, page }))
      expect(await pulled.text()).toBe(xml)
    }
    const skipped = await shop.payload.find({ collection: 'shipping-skipped-orders', depth: 0 })
    expect(skipped.docs).toMatchObject([{ order: 3 }])
  })

  it('delivers what waited and what had changed, once, and nothing again', async () => {
    const { state } = shop.klaviyo.standIn
    await expect.poll(() => shop.deliver(), { timeout: 100_000 }).toBe(0)
    const counts: Record<string, number> = {}
    for (const { metric } of state.events) counts[metric] = (counts[metric] ?? 0) + 1
    expect(counts).toEqual({
      'Shop: Placed Order': 3,
      'Shop: Ordered Product': 3,
      'Shop: Told': 1,
      // It was in a call when the process was killed. Klaviyo has it from that call, or from this one.
      'Shop: In a call': 1,
      'Shop: Waiting': 1,
      'Shop: Fulfilled Order': 1,
      'Shop: Updated Cart': 1,
    })
    const events = state.calls
      .slice(callsBefore)
      .filter(({ name }) => name === 'event' || name === 'events')
      .map(({ items }) => items)
    expect(events.reduce((sum, items) => sum + items, 0)).toBe(4)
    // It was in a bulk import, which nobody asks about any more.
    expect(state.profileByEmail('waiting@example.com')).toMatchObject({
      attributes: { first_name: 'Grace' },
    })
  })

  it('subscribes and unsubscribes who waited for it', async () => {
    await expect.poll(() => shop.deliver(), { timeout: 100_000 }).toBe(0)
    const consentOf = (email: string) => shop.klaviyo.standIn.state.profileByEmail(email)?.consent
    expect(consentOf('joining@example.com')).toMatchObject({ email: { status: 'SUBSCRIBED' } })
    if (losses.isBeforeAlerts) return
    expect(consentOf('leaving@example.com')).toMatchObject({ email: { status: 'UNSUBSCRIBED' } })
  })

  it.runIf(!losses.isBeforeAlerts)(
    'sends no second mail about an alert that goes on, and one when it is over',
    async () => {
      const [begun] = shop.frozen.mails
      expect(begun?.subject).toBe('Klaviyo has refused 1 send.')
      await expect.poll(() => shop.deliver(), { timeout: 100_000 }).toBe(0)
      expect(shop.mails).not.toContain(begun?.subject)
      const failed = { state: { equals: 'failed' } }
      await shop.payload.delete({ collection: 'marketing-sends', where: failed })
      for (let rounds = 0; rounds < 2; rounds += 1) {
        shop.pass(120_000)
        await shop.deliver()
      }
      const isOver = (subject: string) => subject === 'No failed message is left.'
      expect(shop.mails.filter(isOver)).toHaveLength(1)
    },
  )

  it('opens the links in mails that it has sent', async () => {
    for (const { id, isGuest, link } of shop.frozen.facts.links) {
      const visitor = visitorWith(shop.handle)
      const answer = await visitor.ask(link.replace('https://shop.example', ''))
      if (isGuest) {
        expect(answer.headers.get('location')).toBe('https://shop.example/cart')
        const info = await visitor.ask('/actions/users/session-info?layout=1')
        expect(await info.json()).toMatchObject({ cart: { id } })
      } else {
        expect(answer.status).toBe(200)
        expect(await answer.text()).toContain('Log In')
      }
    }
  })

  it('knows its visitors, or asks them to reload the page', async () => {
    const { links, session } = shop.frozen.facts
    const { cookies, token } = session
    const guestCart = links.find(({ isGuest }) => isGuest)
    const visitor = visitorWith(shop.handle, new Map(cookies))
    const post = (CSRF_TOKEN: string) =>
      visitor.post('/actions/marketingconnect/api/identify', { CSRF_TOKEN, email: 'a@example.com' })
    const posted = await post(token)
    if (losses.sessions) {
      expect(posted.status).toBe(400)
      expect(await posted.text()).toContain('Reload the page')
      expect(await (await post(await visitor.token())).json()).toBe('success')
    } else {
      expect(await posted.json()).toBe('success')
      const info = await visitor.ask('/actions/users/session-info?layout=1')
      expect(await info.json()).toMatchObject({ cart: { id: guestCart?.id } })
    }
  })

  it.runIf(!losses.isBeforeAlerts)('keeps the proof of a consent', async () => {
    const staff = { email: 'staff@example.com', password: 'correct horse' }
    await shop.payload.create({ collection: 'staff', data: staff })
    const { token } = await shop.payload.login({ collection: 'staff', data: staff })
    const proof = await shop.api(
      new Request('https://shop.example/api/storeconnect/consent-proof.csv', {
        headers: { authorization: `JWT ${String(token)}` },
      }),
    )
    const line = /"1","ada@example\.com","email","","yes",".*","1","Yes, write to me"/
    expect(await proof.text()).toMatch(line)
  })

  function asNow(before: Record<string, unknown>): Record<string, unknown> {
    const { renamed = {}, fields = [] } = losses
    return Object.fromEntries(
      Object.entries(before)
        .filter(([name]) => !todaysSentences.includes(name) && !fields.includes(name))
        .map(([name, value]) => [renamed[name] ?? name, value]),
    )
  }
})
