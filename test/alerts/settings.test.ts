import { de } from 'payload/i18n/de'
import { en } from 'payload/i18n/en'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { partsOf } from '../../src/installation.js'
import { resolveOptions } from '../../src/options.js'
import { apiOf } from '../support/api-of.js'
import { openAlertWorld, webhookSecret, type AlertWorld } from './alert-world.js'

describe('The alert settings', () => {
  let world: AlertWorld
  afterEach(() => world.close())

  async function open(): Promise<(path?: string, body?: object) => Promise<Response>> {
    world = await openAlertWorld('sqlite', {
      config: { i18n: { supportedLanguages: { en, de } } },
    })
    const api = apiOf(world.store)
    const headers = { 'accept-language': 'de' }
    return (path = '', body) =>
      api(`/globals/alert-settings${path}`, { as: 'admin', body, headers })
  }
  const read = () => partsOf(world.store.payload).alertSettings.get()

  it('never show a secret again, which the database has encrypted', async () => {
    const ask = await open()
    const secrets = { webhookSecret: 'a secret', healthToken: 'a token' }
    expect((await ask('', secrets)).status).toBe(200)
    expect(await (await ask()).json()).toMatchObject({
      webhookSecret: '••••••••',
      healthToken: '••••••••',
    })
    const stored: unknown = await world.store.payload.db.findGlobal({ slug: 'alert-settings' })
    expect(JSON.stringify(stored)).not.toMatch(/a secret|a token/)
    expect(await read()).toMatchObject({ healthToken: 'a token' })
  })

  it.each([
    { recipients: ['merchant@shop.example', 'nobody'] },
    { webhookUrl: 'ftp://shop.example' },
    { webhookUrl: 'https://user:password@shop.example' },
    { webhookUrl: 'shop.example' },
    { digestHour: 24 },
    { noPullHours: -1 },
    { paidStatuses: ['teleported'] },
  ])('refuse %j', async (wrong) => {
    const ask = await open()
    expect((await ask('', wrong)).status).toBe(400)
  })

  it.each([
    [{ noPullHours: 0 }, 'Stunden ohne Abfrage von Bestellungen'],
    [{ unshippedHours: 0 }, 'Stunden, die eine bezahlte Bestellung auf den Versand warten darf'],
    [{ unshippedHours: 1e12 }, 'Stunden, die eine bezahlte Bestellung auf den Versand warten darf'],
    [{ sendsWaitingMinutes: 0 }, 'Minuten, die ein Vorgang warten darf'],
    [{ digestHour: 8.5 }, 'Stunde der Erinnerung'],
    [{ paidStatuses: [] }, 'Status bezahlter Bestellungen, die zu versenden sind'],
  ])('refuse %j by the name of the field', async (wrong, name) => {
    const ask = await open()
    const answer = await ask('?locale=en', { ...wrong })
    expect(answer.status).toBe(400)
    const { errors } = (await answer.json()) as { errors: { message: string }[] }
    expect(errors[0]?.message).toContain(name)
  })

  it('take a webhook without TLS in development only', async () => {
    const ask = await open()
    const webhook = { webhookUrl: 'http://127.0.0.1:1/', webhookSecret }
    expect((await ask('', webhook)).status).toBe(200)
    expect((await read()).webhook?.url).toBe(webhook.webhookUrl)
    vi.stubEnv('NODE_ENV', 'production')
    const now = await read()
    vi.unstubAllEnvs()
    expect(now).toMatchObject({ webhook: undefined, problems: [{ is: 'wrong-url' }] })
  })

  it('read variables, and name those that are not set', async () => {
    vi.stubEnv('TEST_TOKEN', 'of the environment')
    const ask = await open()
    const named = {
      healthToken: '$TEST_TOKEN',
      webhookUrl: 'https://a.example',
      webhookSecret: '$NONE',
    }
    expect((await ask('', named)).status).toBe(200)
    expect(await read()).toMatchObject({
      healthToken: 'of the environment',
      webhook: undefined,
      problems: [{ is: 'variable-missing', name: 'NONE' }, { is: 'no-secret' }],
    })
    expect(await (await ask()).json()).toMatchObject({ healthToken: '$TEST_TOKEN' })
    vi.unstubAllEnvs()
  })

  it('have a test message sent through each channel, and say why one was not', async () => {
    const ask = await open()
    world.receiver.status = 500
    expect(await (await ask('/send-test', {})).json()).toEqual({
      email: { is: 'sent' },
      webhook: { is: 'failed', error: 'HTTP_500' },
    })
    expect(world.mails).toMatchObject([{ subject: 'Test message of Storeconnect' }])
    expect(world.posted.map(({ body }) => JSON.parse(body) as object)).toMatchObject([
      { type: 'alert.test', data: {} },
    ])
    expect((await ask('', { recipients: [], webhookUrl: '' })).status).toBe(200)
    expect(await (await ask('/send-test', {})).json()).toEqual({
      email: { is: 'off' },
      webhook: { is: 'off' },
    })
  })
})

describe('The alert settings in code', () => {
  it.each([
    { noPullHours: 0 },
    { unshippedHours: 8.5 },
    { digestHour: 24 },
    { paidStatuses: [] },
    { paidStatuses: [' '] },
  ])('refuse %j in code, by its path', (wrong) => {
    const [name = ''] = Object.keys(wrong)
    expect(() => resolveOptions({ alerts: { settings: wrong } })).toThrow(`alerts.settings.${name}`)
  })
})
