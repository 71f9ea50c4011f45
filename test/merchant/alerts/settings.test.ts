import { de } from 'payload/i18n/de'
import { en } from 'payload/i18n/en'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { resolvedOptions } from '../../support/shop-of.js'
import { apiOf } from '../../support/api-of.js'
import { openAlertWorld, webhookSecret, type AlertWorld } from './alert-world.js'

describe('The alert settings', () => {
  let world: AlertWorld
  afterEach(() => world.close())

  async function open(): Promise<(path?: string, body?: object) => Promise<Response>> {
    world = await openAlertWorld('sqlite', {
      config: { i18n: { supportedLanguages: { en, de } } },
    })
    const api = apiOf(world)
    const headers = { 'accept-language': 'de' }
    return (path = '', body) =>
      api(`/globals/alert-settings${path}`, { as: 'admin', body, headers })
  }
  const read = () => world.parts.alertSettings.get()

  it('never show a secret again, which the database has encrypted', async () => {
    const ask = await open()
    const secrets = { webhookSecret: 'a secret', healthToken: 'a token' }
    expect((await ask('', secrets)).status).toBe(200)
    expect(await (await ask()).json()).toMatchObject({
      webhookSecret: '••••••••',
      healthToken: '••••••••',
    })
    const stored: unknown = await world.payload.db.findGlobal({ slug: 'alert-settings' })
    expect(JSON.stringify(stored)).not.toMatch(/a secret|a token/)
    expect(await read()).toMatchObject({ healthToken: 'a token' })
  })

  it('refuse what is no setting, by the name of the field', async () => {
    const ask = await open()
    const hours = 'Stunden, die eine bezahlte Bestellung auf den Versand warten darf'
    for (const [wrong, name] of [
      [{ recipients: ['merchant@shop.example', 'nobody'] }, ''],
      [{ webhookUrl: 'ftp://shop.example' }, ''],
      [{ webhookUrl: 'https://user:password@shop.example' }, ''],
      [{ webhookUrl: 'shop.example' }, ''],
      [{ noPullHours: -1 }, ''],
      [{ paidStatuses: ['teleported'] }, ''],
      [{ noPullHours: 0 }, 'Stunden ohne Abfrage von Bestellungen'],
      [{ unshippedHours: 0 }, hours],
      [{ unshippedHours: 1e12 }, hours],
      [{ sendsWaitingMinutes: 0 }, 'Minuten, die eine Nachricht warten darf'],
      [{ digestHour: 8.5 }, 'Stunde der Erinnerung'],
      [{ digestHour: 24 }, 'Stunde der Erinnerung'],
      [{ paidStatuses: [] }, 'Status bezahlter Bestellungen, die zu versenden sind'],
    ] as const) {
      const answer = await ask('?locale=en', wrong)
      expect([wrong, answer.status]).toEqual([wrong, 400])
      const { errors } = (await answer.json()) as { errors: { message: string }[] }
      expect(errors[0]?.message).toContain(name)
    }
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
    expect(() => resolvedOptions({ alerts: { settings: wrong } })).toThrow(
      `alerts.settings.${name}`,
    )
  })
})
