import { afterEach, describe, expect, it } from 'vitest'
import type { MarketingOptions } from '../../../src/plugin/options.js'
import type { Profile } from '../../../src/marketing/klaviyo/profile.js'
import { captureLog } from '../../support/captured-log.js'
import { openStore, type TestStore } from '../../support/store.js'

const ada = { email: 'ada@shop.example', password: 'difference engine' }
const identify = '/actions/marketingconnect/api/identify'
const warning = 40
const failure = 50

describe('What mapUser answers', () => {
  const log = captureLog()
  let store: TestStore | undefined
  afterEach(() => store?.close())

  /** A visitor logged in to a store with this mapUser. */
  async function visit(mapUser: NonNullable<MarketingOptions['mapUser']>) {
    const options = { marketing: { mapUser, settings: { accountUpdates: false } } }
    store = await openStore('sqlite', { config: log.config, options })
    const { payload } = store
    await payload.create({ collection: 'users', data: ada })
    log.clear()
    const browser = store.aBrowser()
    const login = await browser.post('/actions/users/login', ada, { ajax: true })
    const sent = async (): Promise<Profile[]> => {
      const { docs } = await payload.find({ collection: 'marketing-sends', sort: 'id' })
      return docs.map(
        (send) => (send as unknown as { message: { profile: Profile } }).message.profile,
      )
    }
    return { browser, login, sent }
  }
  const linesOf = (least: number) => log.lines().filter(({ level }) => level >= least)

  it('costs a visitor nothing but the values of the account when it throws', async () => {
    const { browser, login, sent } = await visit(() => {
      throw new Error('The club is closed')
    })
    expect(login.status).toBe(200)
    const info = await browser.get('/actions/users/session-info')
    expect(await info.json()).toMatchObject({ isGuest: false, email: ada.email })
    const cart = await browser.post('/actions/commerce/cart/update-cart', {}, { ajax: true })
    expect(cart.status).toBe(200)
    expect(linesOf(failure)).toEqual([])

    const answer = await browser.post(identify, { email: ada.email }, { ajax: true })
    expect(answer.status).toBe(200)
    expect(await sent()).toEqual([{ email: ada.email }])
    expect(linesOf(failure)).toMatchObject([{ err: { message: 'The club is closed' } }])
    expect(log.text()).not.toContain(ada.email)
  })

  it('is left out with a warning where it is no profile', async () => {
    const answer: unknown = {
      email: 5,
      firstName: null,
      lastName: 'King',
      title: undefined,
      location: { city: 'Bonn', zip: 53111, planet: 'Earth' },
      consent: true,
      properties: { $consent: ['email'], Club: 'Tea', $id: 'x' },
    }
    const { browser, sent } = await visit(() => answer as Profile)
    const posted = await browser.post(identify, { email: ada.email }, { ajax: true })
    expect(posted.status).toBe(200)
    expect(await sent()).toEqual([
      {
        email: ada.email,
        lastName: 'King',
        location: { city: 'Bonn' },
        properties: { Club: 'Tea' },
      },
    ])
    const [line] = linesOf(warning)
    const fields = (line?.leftOut as { field: string }[]).map(({ field }) => field)
    expect(fields.sort()).toEqual([
      'account[consent]',
      'account[email]',
      'account[firstName]',
      'account[location][planet]',
      'account[location][zip]',
      'account[properties][$consent]',
      'account[properties][$id]',
    ])
  })

  it.each([[5], ['ada'], [['ada@shop.example']], [null], [{ location: 'Bonn', properties: [1] }]])(
    'is nothing when it is %j',
    async (answer: unknown) => {
      const { browser, sent } = await visit(() => answer as Profile)
      const posted = await browser.post(identify, { email: ada.email }, { ajax: true })
      expect(posted.status).toBe(200)
      expect(await sent()).toEqual([{ email: ada.email }])
      expect(linesOf(failure)).toEqual([])
    },
  )
})
